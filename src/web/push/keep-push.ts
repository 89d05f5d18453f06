import { loadIfUsed } from './while-used.ts'

/** Runs a call that gives the address a new secret. Pushes to this browser go on. */
export async function keepPush(run: () => Promise<unknown>): Promise<void> {
  const push = await loadIfUsed()
  await (push ? push.renewAfter(run) : run())
}
