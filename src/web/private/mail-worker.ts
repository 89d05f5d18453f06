import { type ReadRequest, runJob } from './read-job.ts'

/** The worker that opens and parses messages. If a hostile message blocks it, the page terminates and replaces it. */
addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  runJob(data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: String(error) }),
  )
})
postMessage({ ready: true })
