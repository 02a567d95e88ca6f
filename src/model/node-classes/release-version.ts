/** `spec.version` of a wrapper: an OpenShift release such as 4.20.1. */
import * as z from "zod/mini";
import { withRule } from "../schema/rule.ts";

const NUMBER = "(0|[1-9]\\d*)";
const PRE_RELEASE_PART = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD_PART = "[0-9a-zA-Z-]+";
const SEMVER = `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRE_RELEASE_PART}(\\.${PRE_RELEASE_PART})*)?(\\+${BUILD_PART}(\\.${BUILD_PART})*)?$`;
const PATTERN = new RegExp(SEMVER);

/** As Semantic Versioning 2.0 writes it. */
export const releaseVersion = withRule(
  z.string().check(z.minLength(5, { abort: true }), z.maxLength(64, { abort: true })),
  {
    cel: `self.matches(r'${SEMVER}')`,
    message: "no OpenShift version",
    hint: "write major.minor.patch, such as 4.20.1",
    test: (version) => PATTERN.test(version),
  },
);
