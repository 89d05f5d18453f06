import { writeFileSync } from 'node:fs'
import { withDraft } from './draft.ts'

/** Starts a draft and never completes it; the test interrupts it with a signal. */
await withDraft(process.argv[2] ?? '', async (draft) => {
  for (const end of ['', '-journal']) writeFileSync(draft + end, 'half')
  process.stdout.write('begun\n')
  // Keeps the process alive.
  await new Promise<never>(() => setInterval(() => {}, 1000))
})
