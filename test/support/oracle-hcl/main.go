// Command oracle-hcl answers with HashiCorp's own parser and the functions of its language: one JSON question on each
// line of stdin, one JSON answer on each line of stdout.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

type question struct {
	// A body, or a template if Template is set.
	Text     string `json:"text"`
	Template bool   `json:"template"`
	// Values of names, as JSON.
	Names map[string]json.RawMessage `json:"names"`
}

type attribute struct {
	Name string `json:"name"`
	// The offset of the name in bytes.
	At int `json:"at"`
	// Absent if the expression has no value.
	Value json.RawMessage `json:"value,omitempty"`
}

type reply struct {
	Problem    string      `json:"problem,omitempty"`
	Attributes []attribute `json:"attributes"`
}

func main() {
	questions := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	answers := json.NewEncoder(out)
	for {
		var one question
		if err := questions.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fail(err)
		}
		if err := answers.Encode(replyTo(one)); err != nil {
			fail(err)
		}
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func replyTo(one question) reply {
	context := contextOf(one.Names)
	start := hcl.InitialPos
	if one.Template {
		expression, problems := hclsyntax.ParseTemplate([]byte(one.Text), "t", start)
		if problems.HasErrors() {
			return reply{Problem: problems.Error()}
		}
		return reply{Attributes: []attribute{{Name: "", Value: valueOf(expression, context)}}}
	}
	file, problems := hclsyntax.ParseConfig([]byte(one.Text), "t", start)
	if problems.HasErrors() {
		return reply{Problem: problems.Error()}
	}
	return reply{Attributes: attributesIn(file.Body.(*hclsyntax.Body), "", context)}
}

func attributesIn(body *hclsyntax.Body, path string, context *hcl.EvalContext) []attribute {
	found := []attribute{}
	for name, one := range body.Attributes {
		found = append(found, attribute{Name: path + name, At: one.NameRange.Start.Byte, Value: valueOf(one.Expr, context)})
	}
	for index, block := range body.Blocks {
		inner := path + fmt.Sprint(index) + block.Type
		for _, label := range block.Labels {
			inner += "." + label
		}
		found = append(found, attributesIn(block.Body, inner+"/", context)...)
	}
	return found
}

func valueOf(expression hcl.Expression, context *hcl.EvalContext) json.RawMessage {
	value, problems := expression.Value(context)
	if problems.HasErrors() || !value.IsWhollyKnown() {
		return nil
	}
	value, _ = value.UnmarkDeep()
	text, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		return nil
	}
	return text
}

func contextOf(names map[string]json.RawMessage) *hcl.EvalContext {
	variables := map[string]cty.Value{}
	for name, text := range names {
		kind, err := ctyjson.ImpliedType(text)
		if err != nil {
			fail(err)
		}
		value, err := ctyjson.Unmarshal(text, kind)
		if err != nil {
			fail(err)
		}
		variables[name] = value
	}
	return &hcl.EvalContext{Variables: variables, Functions: map[string]function.Function{
		"chomp":      stdlib.ChompFunc,
		"concat":     stdlib.ConcatFunc,
		"flatten":    stdlib.FlattenFunc,
		"indent":     stdlib.IndentFunc,
		"join":       stdlib.JoinFunc,
		"jsonencode": stdlib.JSONEncodeFunc,
		"length":     stdlib.LengthFunc,
		"lower":      stdlib.LowerFunc,
		"merge":      stdlib.MergeFunc,
		"trimspace":  stdlib.TrimSpaceFunc,
		"upper":      stdlib.UpperFunc,
	}}
}
