import { parentPort } from 'node:worker_threads'
import { freeBytes } from '#core/free-bytes.ts'
import { createSeal } from './seal.ts'
import type { SealJob, SealResult } from './sealer.ts'

const seal = createSeal()

parentPort?.on('message', ({ id, publicKeys, lengths, plaintexts }: SealJob) => {
  let at = 0
  const sealed = publicKeys.map((publicKey, i) => seal(publicKey, plaintexts.subarray(at, (at += lengths[i] ?? 0))))
  freeBytes(plaintexts)
  const result: SealResult = { id, sealed }
  parentPort?.postMessage(result, sealed.map(({ buffer }) => buffer) as ArrayBuffer[])
})
