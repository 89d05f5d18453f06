import { parentPort, workerData } from 'node:worker_threads'
import { freeBytes } from '#core/memory-budget.ts'
import { sealAll } from './seal.ts'
import type { SealerOptions, SealJob, SealResult } from './sealer.ts'

const { boundFrom } = workerData as SealerOptions

parentPort?.on('message', ({ id, publicKeys, places, lengths, plaintexts }: SealJob) => {
  let at = 0
  const items = places.map((place, i) => ({
    publicKey: publicKeys[i] ?? new Uint8Array(),
    place,
    plaintext: plaintexts.subarray(at, (at += lengths[i] ?? 0)),
  }))
  const sealed = sealAll(items, boundFrom)
  freeBytes(plaintexts)
  const result: SealResult = { id, sealed }
  parentPort?.postMessage(result, sealed.map(({ buffer }) => buffer) as ArrayBuffer[])
})
