import { parentPort } from 'node:worker_threads'
import { createSeal } from './seal.ts'
import type { SealJob, SealResult } from './sealer.ts'

const seal = createSeal()

parentPort?.on('message', ({ id, items }: SealJob) => {
  const result: SealResult = { id, sealed: items.map(({ publicKey, plaintext }) => seal(publicKey, plaintext)) }
  parentPort?.postMessage(result)
})
