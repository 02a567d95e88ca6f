/** `anp catalogue` end to end: listing, filtering and building, the streams, and the error of each mistake. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../support/process/built.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { folderWith } from "../../support/process/inputs.ts";

const AWS = join(ROOT, "fixtures/aws");
const SOURCE = "(Amazon EC2, all regions, from the reference of Karpenter's AWS provider, 2026-08)";

const PRICES =
  "prices: on demand, per hour, us-east-1, 2026-07 (list prices for Linux, Karpenter's AWS provider v1.15.1)";

const aws = (name: string): string => readFileSync(join(AWS, `${name}.json`), "utf8");
const ANSWERS = [
  "--instance-types",
  join(AWS, "instance-types-1.json"),
  join(AWS, "instance-types-2.json"),
  "--offerings",
  join(AWS, "offerings.json"),
];

describe("listing", () => {
  it("prints the table to stdout, and the count, the source and its date to stderr", async () => {
    const args = ["--where", "karpenter.k8s.aws/instance-family=m7g", "--where", "karpenter.k8s.aws/instance-cpu<=4"];
    expect(await runAnp(["catalogue", ...args])).toStrictEqual({
      exit: 0,
      stdout: [
        "NAME         ARCH    VCPU   MEMORY     PRICE     NETWORK   DISK   ACCELERATORS",
        "m7g.medium   arm64      1    4 GiB   $0.0408   0.52 Gbps      -   -",
        "m7g.large    arm64      2    8 GiB   $0.0816   0.94 Gbps      -   -",
        "m7g.xlarge   arm64      4   16 GiB   $0.1632   1.88 Gbps      -   -",
        "",
      ].join("\n"),
      stderr: `3 of 1363 instance types ${SOURCE}\n${PRICES}\n`,
    });
  });

  it("lists all without a condition", async () => {
    const { exit, stdout, stderr } = await runAnp(["catalogue", "-o", "name"]);
    expect([exit, stderr]).toStrictEqual([0, `1363 instance types ${SOURCE}\n`]);
    const rows = readFileSync(join(ROOT, "data/ec2-instance-types.csv"), "utf8").trim().split("\n").slice(1);
    expect(stdout.trim().split("\n").toSorted()).toStrictEqual(rows.map((row) => row.split(",")[0]));
  });

  it("exits with 0 if nothing matches", async () => {
    const where = ["--where", "karpenter.k8s.aws/instance-cpu>896"];
    expect(await runAnp(["catalogue", ...where])).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: `none of 1363 instance types ${SOURCE}\n${PRICES}\n`,
    });
    expect(JSON.parse((await runAnp(["catalogue", ...where, "-o", "json"])).stdout)).toMatchObject({
      total: 1363,
      instanceTypes: [],
    });
  });

  it("warns that a condition excludes nothing if the catalogue has no values for it", async () => {
    const { exit, stderr } = await runAnp([
      "catalogue",
      "-o",
      "name",
      "--where",
      "topology.kubernetes.io/zone=us-east-1a",
    ]);
    expect([exit, stderr]).toStrictEqual([
      0,
      `the catalogue has no values of topology.kubernetes.io/zone, so the condition excludes no instance type\n1363 instance types ${SOURCE}\n`,
    ]);
  });

  it("reads its own JSON again", async () => {
    const { stdout } = await runAnp(["catalogue", "-o", "json", "--where", "kubernetes.io/arch=arm64"]);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, date: "2026-08", total: 1363 });
    const cwd = folderWith({ "arm.json": stdout });
    const again = await runAnp(["catalogue", "-o", "json", "--catalogue", "arm.json"], { cwd });
    expect(again.stderr).toBe(`396 instance types ${SOURCE}\n`);
    expect(again.stdout).toBe(stdout.replace('"total": 1363', '"total": 396'));
  });
});

describe("prices", () => {
  it("are those of the given region, in its currency", async () => {
    const args = ["--region", "cn-north-1", "--where", "karpenter.k8s.aws/instance-family=m5", "--where", "price<2"];
    const { exit, stdout, stderr } = await runAnp(["catalogue", ...args]);
    expect({ exit, stdout, stderr }).toStrictEqual({
      exit: 0,
      stdout: [
        "NAME       ARCH    VCPU   MEMORY       PRICE     NETWORK   DISK   ACCELERATORS",
        "m5.large   amd64      2    8 GiB   1.013 CNY   0.75 Gbps      -   -",
        "",
      ].join("\n"),
      stderr: `1 of 1363 instance types ${SOURCE}\n${PRICES.replace("us-east-1", "cn-north-1")}\n`,
    });
  });

  it("can be missing for some types, with a note", async () => {
    const { stdout, stderr } = await runAnp(["catalogue", "--where", "karpenter.k8s.aws/instance-family in (p5e,m1)"]);
    const prices = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/).at(4));
    expect(prices).toStrictEqual(["PRICE", "$0.044", "$0.087", "$0.175", "$0.35", "-"]);
    expect(stderr).toContain(`${PRICES}; 1 type without a price\n`);
  });

  it("are part of the JSON form", async () => {
    const { stdout } = await runAnp(["catalogue", "-o", "json", "--where", "price<0.005", "--region", "us-east-1"]);
    const cwd = folderWith({ "small.json": stdout });
    const again = await runAnp(["catalogue", "--catalogue", "small.json", "--where", "price<0.0045"], { cwd });
    expect(again.stderr).toBe(`1 of 2 instance types ${SOURCE}\n${PRICES}\n`);
    const refused = await runAnp(["catalogue", "--catalogue", "small.json", "--region", "us-east-1"], { cwd });
    expect([refused.exit, refused.stderr]).toStrictEqual([
      2,
      "anp: --region: the catalogue has prices of its own, so leave the option out\nSee anp catalogue --help.\n",
    ]);
  });

  it("are refused for an unknown region", async () => {
    const { exit, stderr } = await runAnp(["catalogue", "--region", "frankfurt"]);
    expect([exit, stderr]).toStrictEqual([
      2,
      "anp: --region: frankfurt is not a region of AWS, such as cn-north-1, us-east-1, us-gov-east-1, us-gov-west-1\nSee anp catalogue --help.\n",
    ]);
  });

  it("of another region than the catalogue's are marked, and in no catalogue", async () => {
    const types = [
      {
        name: "m5.large",
        requirements: [{ key: "topology.kubernetes.io/region", operator: "In", values: ["eu-west-1"] }],
      },
    ];
    const cwd = folderWith({ "eu.json": JSON.stringify({ source: "eu", date: "2026-11-20", instanceTypes: types }) });
    const listed = await runAnp(["catalogue", "--catalogue", "eu.json", "--where", "price<1"], { cwd });
    expect(listed.stdout).toContain(" ≈ $0.096\n");
    expect(listed.stderr).toContain("prices: on demand, per hour, ≈ list price of us-east-1 for eu-west-1, 2026-07 (");
    const json = await runAnp(["catalogue", "--catalogue", "eu.json", "-o", "json"], { cwd });
    expect(JSON.parse(json.stdout)).not.toHaveProperty("prices");
  });
});

describe("building", () => {
  it("writes a catalogue of the region that supports conditions on zones", async () => {
    const cwd = folderWith({});
    const built = await runAnp(
      ["catalogue", "build", ...ANSWERS, "--zones", join(AWS, "zones.json"), "--date", "2026-11-20", "-o", "r.json"],
      { cwd },
    );
    expect(built).toStrictEqual({
      exit: 0,
      stdout: "",
      stderr: [
        "1 instance type left out: Karpenter uses only hvm on x86_64 or arm64: mac2.metal",
        "1 instance type missing: offered, but not described (check that all pages were saved): t3.micro",
        "1 instance type without network bandwidth: EC2 does not return it, and the catalogue of 2026-08 does not have them: m99.large",
        "us-east-1: 10 instance types in 3 zones (us-east-1-bos-1a, us-east-1a, us-east-1b), 2026-11-20",
        "",
      ].join("\n"),
    });
    const where = ["--where", "topology.k8s.aws/zone-id=use1-az1", "--where", "karpenter.sh/capacity-type=spot"];
    expect(await runAnp(["catalogue", "--catalogue", "r.json", "-o", "name", ...where], { cwd })).toStrictEqual({
      exit: 0,
      stdout: "c4.large\nc6g.large\ninf2.xlarge\nm5.large\nm5.metal\nm7i-flex.large\np5.48xlarge\n",
      stderr: "7 of 10 instance types (Amazon EC2, us-east-1, 2026-11-20)\n",
    });
  });

  it("prints it without -o, with the date of the files", async () => {
    const { exit, stdout, stderr } = await runAnp(["catalogue", "build", ...ANSWERS]);
    const { date } = JSON.parse(stdout) as { date: string };
    expect(exit).toBe(0);
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(stderr).toMatch(new RegExp(`, ${date}\\n$`));
  });
});

const CATALOGUE: Readonly<Record<string, readonly [content: string | undefined, says: string]>> = {
  "that is not there": [undefined, "anp: x.json does not exist\n"],
  "that is empty": ["", "anp: x.json is empty\n"],
  "that is not JSON": [
    "names: [a]\n",
    "anp: x.json is not JSON: Unexpected token 'a', \"names: [a] \" is not valid JSON\n",
  ],
  "in another version": [
    '{"schemaVersion":2,"names":[]}',
    "anp: x.json has schemaVersion 2, but this anp reads 1\n  help: build it again with this anp\n",
  ],
  "that is an answer of aws": [
    '{"InstanceTypes":[]}',
    "anp: x.json is a response of `aws ec2`, not a catalogue\n  help: convert it with anp catalogue build\n",
  ],
};

describe("a catalogue", () => {
  it.each(Object.entries(CATALOGUE))("%s: exit 3 and one clear line", async (_what, [content, stderr]) => {
    const cwd = folderWith(content === undefined ? {} : { "x.json": content });
    expect(await runAnp(["catalogue", "--catalogue", "x.json"], { cwd })).toStrictEqual({
      exit: 3,
      stdout: "",
      stderr,
    });
  });

  it("in UTF-16, as an old PowerShell saves it", async () => {
    const cwd = folderWith({});
    writeFileSync(join(cwd, "x.json"), Buffer.from("\ufeff{}", "utf16le"));
    const { exit, stderr } = await runAnp(["catalogue", "--catalogue", "x.json"], { cwd });
    expect([exit, stderr]).toStrictEqual([
      3,
      "anp: x.json is UTF-16, and must be UTF-8\n  help: save the file as UTF-8\n",
    ]);
  });
});

const BUILDS: Readonly<
  Record<string, readonly [files: Record<string, string>, args: readonly string[], exit: number, says: string]>
> = {
  "only the first page": [
    { "t.json": aws("instance-types-1") },
    ["--instance-types", "t.json"],
    3,
    "anp: t.json is one of several pages, and the last one is missing",
  ],
  "offerings for descriptions": [
    { "t.json": aws("offerings") },
    ["--instance-types", "t.json"],
    3,
    "anp: t.json is not the expected output of the AWS CLI: InstanceTypes is missing",
  ],
  "a broken description": [
    { "t.json": '{"InstanceTypes":[{"InstanceType":"m5.large"}]}' },
    ["--instance-types", "t.json"],
    3,
    "anp: t.json is not the expected output of the AWS CLI: InstanceTypes[0].ProcessorInfo is missing",
  ],
  "a page twice": [
    { "t.json": aws("instance-types-2") },
    ["--instance-types", "t.json", "t.json"],
    2,
    "anp: m7i-flex.large is described twice",
  ],
  "offerings of another region": [
    { "t.json": aws("instance-types-2"), "o.json": aws("offerings").replaceAll("us-east-1", "eu-west-1") },
    ["--instance-types", "t.json", "--offerings", "o.json", "--zones", join(AWS, "zones.json")],
    3,
    "anp: o.json covers, together with --zones, several regions: eu-west-1, us-east-1",
  ],
  "prices of another region": [
    { "p.json": aws("prices-2").replaceAll("us-east-1", "eu-west-1") },
    ["--instance-types", join(AWS, "instance-types-2.json"), "--prices", "p.json"],
    3,
    "anp: p.json has prices of eu-west-1, but the offerings are of us-east-1",
  ],
  "only the first page of prices": [
    { "p.json": aws("prices-1") },
    ["--prices", "p.json"],
    3,
    "anp: p.json is one of several pages, and the last one is missing",
  ],
  "a product that is no JSON": [
    { "p.json": '{"PriceList": ["m5.large"]}' },
    ["--prices", "p.json"],
    3,
    "anp: p.json is not JSON: Unexpected token",
  ],
  "a price that is no amount": [
    { "p.json": aws("prices-2").replace("0.1000000000", "a dime") },
    ["--prices", "p.json"],
    3,
    "anp: p.json is not the expected output of the AWS CLI",
  ],
  "spot prices for prices": [
    {},
    ["--prices", join(AWS, "spot-prices.json")],
    3,
    "is not the expected output of the AWS CLI: PriceList is missing",
  ],
  "a spot price that is no amount": [
    { "s.json": aws("spot-prices").replace('"0.036100"', '"-1"') },
    ["--spot-prices", "s.json"],
    3,
    'anp: s.json is not the expected output of the AWS CLI: SpotPriceHistory[0].SpotPrice is "-1", which is not an amount: write it as 0.0960000000',
  ],
  "a folder that is not there": [
    { "t.json": aws("instance-types-2") },
    ["--instance-types", "t.json", "-o", "no/such.json"],
    2,
    "anp: the catalogue cannot be written to no/such.json: ENOENT",
  ],
  "another date": [{}, ["--date", "yesterday"], 2, "Write it as 2026-11-20."],
};

describe("a build", () => {
  it.each(Object.entries(BUILDS))("with %s fails with one clear line", async (_what, [files, args, exit, says]) => {
    const cwd = folderWith(files);
    const defaults = args.includes("--offerings") ? [] : ["--offerings", join(AWS, "offerings.json")];
    const types = args.includes("--instance-types") ? [] : ["--instance-types", join(AWS, "instance-types-2.json")];
    const ended = await runAnp(["catalogue", "build", ...args, ...defaults, ...types], { cwd });
    expect([ended.exit, ended.stdout]).toStrictEqual([exit, ""]);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).not.toContain("    at ");
  });
});

it.each([
  ["cpu>=4", "anp: --where: no instance type has the label cpu; did you mean karpenter.k8s.aws/instance-cpu?\n"],
  ["kubernetes.io/arch>=x", 'anp: --where: "kubernetes.io/arch>=x" compares with "x", which is not a whole number\n'],
  ["a b", 'anp: --where: "a b" is not a condition: write KEY=VALUE'],
])("--where %j is wrong use", async (text, says) => {
  const { exit, stdout, stderr } = await runAnp(["catalogue", "--where", text]);
  expect([exit, stdout, stderr.startsWith(says)]).toStrictEqual([2, "", true]);
});
