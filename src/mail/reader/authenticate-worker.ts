import { workerData } from 'node:worker_threads'
import { createAuthenticate } from './authenticate.ts'
import { createForward } from './forward.ts'
import type { LookUpOptions } from './look-up.ts'
import { serve } from './serve.ts'
import { useStandardDecoders } from './text-decoder.ts'

// A thread that waits for name servers, so that they never delay parsing.
useStandardDecoders()
const authenticate = createAuthenticate(workerData as LookUpOptions)
const forward = createForward(workerData as LookUpOptions)

await serve(async (job) => {
  if (job.kind === 'authenticate') return authenticate(job.raw, job.envelope)
  if (job.kind === 'forward') return forward(job.raw, job.envelope, job.request)
  throw new TypeError(`Unknown job: ${job.kind}`)
})
