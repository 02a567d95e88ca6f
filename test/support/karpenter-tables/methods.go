package record

import (
	"context"
	"sort"

	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// OfMethods is whether methods of disruption are recorded, and not each round of the scheduler that they simulate.
var OfMethods = false

// Method is one run of a method of the disruption controller.
type Method struct {
	*round
	Method string `json:"method"`
	// The names of nodes.
	Candidates []string `json:"candidates"`
	// Whether its commands are looked at again after a while.
	Validates bool      `json:"validates"`
	Commands  []Command `json:"commands"`
}

// Command is what a method decides.
type Command struct {
	Candidates   []string    `json:"candidates"`
	Decision     string      `json:"decision"`
	Replacements []nodeClaim `json:"replacements"`
	Savings      float64     `json:"savings"`
	// Where the pods go that find room on nodes that are there.
	Existing []existing `json:"existing"`
}

// MethodOf records what a method starts from.
func MethodOf(ctx context.Context, parts Parts, name string, candidates []string) *Method {
	made := &Method{round: before(ctx, parts), Method: name, Candidates: candidates, Commands: []Command{}}
	sort.Strings(made.Candidates)
	return made
}

// CommandOf describes a command.
func CommandOf(candidates []string, decision string, claims []*scheduler.NodeClaim, savings float64, results scheduler.Results) Command {
	made := Command{
		Candidates: candidates, Decision: decision, Replacements: []nodeClaim{}, Savings: savings, Existing: outcomeOf(results).Existing,
	}
	sort.Strings(made.Candidates)
	for _, claim := range claims {
		made.Replacements = append(made.Replacements, nodeClaimOf(claim))
	}
	sort.Slice(made.Replacements, func(i, j int) bool {
		return first(made.Replacements[i].Pods) < first(made.Replacements[j].Pods)
	})
	return made
}

// Write adds it to the record.
func (m *Method) Write(err error) {
	if err != nil {
		m.Error = err.Error()
	}
	sort.Slice(m.Commands, func(i, j int) bool { return first(m.Commands[i].Candidates) < first(m.Commands[j].Candidates) })
	mu.Lock()
	defer mu.Unlock()
	writeLine(m)
}
