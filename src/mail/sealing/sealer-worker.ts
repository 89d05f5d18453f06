import { parentPort } from 'node:worker_threads'
import { freeBytes } from '#core/free-bytes.ts'
import { sealAll } from './seal.ts'
import type { SealJob, SealResult } from './sealer.ts'

parentPort?.on('message', ({ id, publicKeys, places, lengths, plaintexts }: SealJob) => {
  let at = 0
  const items = places.map((place, i) => ({
    publicKey: publicKeys[i] ?? new Uint8Array(),
    place,
    plaintext: plaintexts.subarray(at, (at += lengths[i] ?? 0)),
  }))
  const sealed = sealAll(items)
  freeBytes(plaintexts)
  const result: SealResult = { id, sealed }
  parentPort?.postMessage(result, sealed.map(({ buffer }) => buffer) as ArrayBuffer[])
})
