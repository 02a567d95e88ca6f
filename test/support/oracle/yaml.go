package main

import (
	"encoding/json"

	"sigs.k8s.io/yaml"
	goyaml "sigs.k8s.io/yaml/goyaml.v3"
)

// Answers how kubectl and API servers, and kustomize and kpt, parse a text: as JSON, or the error.
func readYaml(question json.RawMessage) any {
	var asked struct {
		Text string `json:"text"`
	}
	read(question, &asked)
	return map[string]any{"kubectl": asKubectl(asked.Text), "kustomize": asKustomize(asked.Text)}
}

func asKubectl(text string) any {
	converted, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		return map[string]string{"problem": err.Error()}
	}
	return json.RawMessage(converted)
}

func asKustomize(text string) any {
	var value any
	if err := goyaml.Unmarshal([]byte(text), &value); err != nil {
		return map[string]string{"problem": err.Error()}
	}
	converted, err := json.Marshal(value)
	if err != nil {
		return map[string]string{"problem": err.Error()}
	}
	return json.RawMessage(converted)
}
