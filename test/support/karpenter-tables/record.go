// Package record writes down what Karpenter's tests give to its scheduler, and what comes out: a line of JSON for each round.
package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/onsi/ginkgo/v2"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	scheduler "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

// round is one call of the scheduler.
type round struct {
	Spec string `json:"spec"`
	// Where the spec is in Karpenter.
	File string `json:"file"`
	Line int    `json:"line"`
	// Of which function: Schedule, or Solve of a scheduler that the test made.
	Of string `json:"of"`
	// How a scheduler was made that is not of Schedule.
	Mode    scheduler.Mode    `json:"mode"`
	Objects []json.RawMessage `json:"objects"`
	// The pods that were given, for Solve.
	Pods  []json.RawMessage `json:"pods"`
	Nodes []stateNode       `json:"nodes"`
	// By pool, the id of its types.
	TypesOf         map[string]string `json:"typesOf"`
	TypeErrors      map[string]string `json:"typeErrors"`
	WellKnownLabels []string          `json:"wellKnownLabels"`
	Options         *options.Options  `json:"options"`
	MostTypes       int               `json:"mostTypes"`
	// Milliseconds since 1970, of the test's clock.
	Now     int64    `json:"now"`
	Outcome *outcome `json:"outcome"`
	Error   string   `json:"error"`
}

// stateNode is what Karpenter's state of the cluster knows of a node.
type stateNode struct {
	Node        json.RawMessage     `json:"node"`
	NodeClaim   json.RawMessage     `json:"nodeClaim"`
	Deleting    bool                `json:"deleting"`
	Nominated   bool                `json:"nominated"`
	Buffered    bool                `json:"buffered"`
	Requests    corev1.ResourceList `json:"requests"`
	OfDaemons   corev1.ResourceList `json:"ofDaemons"`
	Allocatable corev1.ResourceList `json:"allocatable"`
}

type instanceType struct {
	Name         string                                    `json:"name"`
	Requirements []v1.NodeSelectorRequirementWithMinValues `json:"requirements"`
	Offerings    []offering                                `json:"offerings"`
	Capacity     corev1.ResourceList                       `json:"capacity"`
	Allocatable  corev1.ResourceList                       `json:"allocatable"`
	VolumeLimits map[string]int                            `json:"volumeLimits"`
	HasDevices   bool                                      `json:"hasDevices"`
	HasOverrides bool                                      `json:"hasOverrides"`
}

type offering struct {
	Requirements        []v1.NodeSelectorRequirementWithMinValues `json:"requirements"`
	Price               float64                                   `json:"price"`
	Available           bool                                      `json:"available"`
	ReservationCapacity int                                       `json:"reservationCapacity"`
}

// Parts is what a provisioner works with.
type Parts struct {
	Client        client.Client
	Cluster       *state.Cluster
	CloudProvider cloudprovider.CloudProvider
	// Milliseconds since 1970.
	Now int64
}

// Schedule records a call of the provisioner's Schedule.
func Schedule(ctx context.Context, parts Parts, schedule func() (scheduler.Results, error)) (scheduler.Results, error) {
	if OfMethods {
		return schedule()
	}
	made := before(ctx, parts)
	made.Of = "Schedule"
	inSchedule.Lock()
	results, err := schedule()
	inSchedule.Unlock()
	made.write(results, err)
	return results, err
}

var inSchedule sync.Mutex

var (
	mu      sync.Mutex
	pending = map[*scheduler.Scheduler]*round{}
)

// NewScheduler records what a scheduler starts from that a test makes.
func NewScheduler(
	ctx context.Context, parts Parts, pods []*corev1.Pod, nodes []*state.StateNode, opts []scheduler.Options,
	create func() (*scheduler.Scheduler, error),
) (*scheduler.Scheduler, error) {
	if OfMethods || !inSchedule.TryLock() {
		return create()
	}
	defer inSchedule.Unlock()
	started := before(ctx, parts)
	started.Of = "Solve"
	started.Mode = scheduler.ModeOf(opts...)
	started.Pods = lo.Map(pods, func(pod *corev1.Pod, _ int) json.RawMessage { return textOf(pod) })
	started.Nodes = lo.Map(nodes, func(node *state.StateNode, _ int) stateNode { return nodeOf(node) })
	made, err := create()
	if err == nil {
		mu.Lock()
		pending[made] = started
		mu.Unlock()
	}
	return made, err
}

func init() {
	scheduler.Solved = func(made *scheduler.Scheduler, results scheduler.Results, err error) {
		mu.Lock()
		started, ok := pending[made]
		delete(pending, made)
		mu.Unlock()
		if ok {
			started.write(results, err)
		}
	}
}

// The file and its folder.
func placeOf(path string) string {
	return filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
}

func before(ctx context.Context, parts Parts) *round {
	report := ginkgo.CurrentSpecReport()
	made := &round{
		Spec:            report.FullText(),
		File:            placeOf(report.LeafNodeLocation.FileName),
		Line:            report.LeafNodeLocation.LineNumber,
		TypesOf:         map[string]string{},
		TypeErrors:      map[string]string{},
		WellKnownLabels: slices.Sorted(maps.Keys(v1.WellKnownLabels)),
		Options:         options.FromContext(ctx),
		MostTypes:       scheduler.MaxInstanceTypes,
		Now:             parts.Now,
		Nodes:           []stateNode{},
		Pods:            []json.RawMessage{},
	}
	for _, list := range []client.ObjectList{
		&v1.NodePoolList{}, &v1.NodeClaimList{}, &corev1.NodeList{}, &corev1.PodList{}, &corev1.NamespaceList{},
		&appsv1.DaemonSetList{}, &corev1.PersistentVolumeClaimList{}, &corev1.PersistentVolumeList{},
		&storagev1.StorageClassList{}, &storagev1.CSINodeList{}, &policyv1.PodDisruptionBudgetList{},
		&corev1.ServiceList{}, &appsv1.ReplicaSetList{}, &appsv1.StatefulSetList{}, &corev1.ReplicationControllerList{},
	} {
		// A test may have a client that does not know all kinds.
		if err := parts.Client.List(ctx, list); err != nil {
			continue
		}
		objects, err := meta.ExtractList(list)
		lo.Must0(err)
		for _, object := range objects {
			made.Objects = append(made.Objects, textOf(object))
			if pool, ok := object.(*v1.NodePool); ok {
				types, err := parts.CloudProvider.GetInstanceTypes(ctx, pool)
				if err != nil {
					made.TypeErrors[pool.Name] = err.Error()
					continue
				}
				made.TypesOf[pool.Name] = idOf(lo.Map(types, func(one *cloudprovider.InstanceType, _ int) instanceType { return typeOf(one) }))
			}
		}
	}
	ids := []string{}
	for node := range parts.Cluster.Nodes() {
		made.Nodes = append(made.Nodes, nodeOf(node))
		ids = append(ids, node.ProviderID())
	}
	for place, id := range ids {
		made.Nodes[place].Nominated = parts.Cluster.IsNodeNominated(id)
		made.Nodes[place].Buffered = parts.Cluster.HasBufferPods(id)
	}
	return made
}

func (r *round) write(results scheduler.Results, err error) {
	if err != nil {
		r.Error = err.Error()
	} else {
		r.Outcome = lo.ToPtr(outcomeOf(results))
	}
	mu.Lock()
	defer mu.Unlock()
	writeLine(r)
}

// typeList is written once for all rounds that have it.
type typeList struct {
	ID    string         `json:"id"`
	Types []instanceType `json:"types"`
}

var written = map[string]bool{}

func idOf(types []instanceType) string {
	sum := sha256.Sum256(lo.Must(json.Marshal(types)))
	id := hex.EncodeToString(sum[:8])
	mu.Lock()
	defer mu.Unlock()
	if !written[id] {
		written[id] = true
		writeLine(typeList{ID: id, Types: types})
	}
	return id
}

func writeLine(value any) {
	file := lo.Must(os.OpenFile(os.Getenv("ANP_RECORD"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600))
	_, err := file.Write(append(lo.Must(json.Marshal(value)), '\n'))
	lo.Must0(errors.Join(err, file.Close()))
}

func nodeOf(node *state.StateNode) stateNode {
	made := stateNode{
		Deleting:    node.MarkedForDeletion(),
		Requests:    node.PodRequests(),
		OfDaemons:   node.DaemonSetRequests(),
		Allocatable: node.Allocatable(),
	}
	if node.Node != nil {
		made.Node = textOf(node.Node)
	}
	if node.NodeClaim != nil {
		made.NodeClaim = textOf(node.NodeClaim)
	}
	return made
}

func typeOf(one *cloudprovider.InstanceType) instanceType {
	return instanceType{
		Name:         one.Name,
		Requirements: requirementsOf(one.Requirements),
		Capacity:     one.Capacity,
		Allocatable:  one.Allocatable(),
		VolumeLimits: one.VolumeAttachmentLimits,
		HasDevices:   len(one.DynamicResources.ResourceSliceTemplates) > 0,
		HasOverrides: lo.SomeBy(one.Offerings, func(o *cloudprovider.Offering) bool {
			return o.CapacityOverride != nil || o.OverheadOverride != nil
		}),
		Offerings: lo.Map(one.Offerings, func(o *cloudprovider.Offering, _ int) offering {
			return offering{
				Requirements:        requirementsOf(o.Requirements),
				Price:               o.Price,
				Available:           o.Available,
				ReservationCapacity: o.ReservationCapacity,
			}
		}),
	}
}

// An object with its kind, which typed clients leave out.
func textOf(object runtime.Object) json.RawMessage {
	copied := object.DeepCopyObject()
	kind, err := apiutil.GVKForObject(copied, scheme.Scheme)
	lo.Must0(err)
	copied.GetObjectKind().SetGroupVersionKind(kind)
	lo.Must(meta.Accessor(copied)).SetManagedFields(nil)
	return lo.Must(json.Marshal(copied))
}
