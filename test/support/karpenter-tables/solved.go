package scheduling

import (
	"context"

	"github.com/awslabs/operatorpkg/option"
	corev1 "k8s.io/api/core/v1"
)

// Mode is what a scheduler was made with.
type Mode struct {
	// Whether pods wait for reserved capacity, as in provisioning.
	Strict bool `json:"strict"`
	// Reservations that are assumed to have more left than they have.
	Credited int `json:"credited"`
}

// ModeOf tells what the options of a scheduler say.
func ModeOf(opts ...Options) Mode {
	resolved := option.Resolve(opts...)
	return Mode{
		Strict:   resolved.reservedOfferingMode == ReservedOfferingModeStrict,
		Credited: len(resolved.creditReservationCapacity),
	}
}

// Solved is called with every result of Solve.
var Solved = func(*Scheduler, Results, error) {}

// Solve is Karpenter's, recorded.
func (s *Scheduler) Solve(ctx context.Context, pods []*corev1.Pod) (Results, error) {
	results, err := s.solve(ctx, pods)
	Solved(s, results, err)
	return results, err
}
