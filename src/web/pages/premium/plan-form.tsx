export function PlanForm({ plans }: { plans: object }) { return <p>{JSON.stringify(plans)}</p> }
