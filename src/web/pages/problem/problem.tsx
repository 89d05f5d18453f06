export function ProblemPage() { return <p>stub</p> }
