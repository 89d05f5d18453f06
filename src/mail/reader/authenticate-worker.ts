import { workerData } from 'node:worker_threads'
import { type AuthenticateOptions, createAuthenticate } from './authenticate.ts'
import { serve } from './serve.ts'

/** A thread that waits for name servers, so that they never hold up a parse. */
const authenticate = createAuthenticate(workerData as AuthenticateOptions)

serve(async (job) => {
  if (job.kind !== 'authenticate') throw new TypeError(`Not a job of this thread: ${job.kind}`)
  return authenticate(job.raw, job.envelope)
})
