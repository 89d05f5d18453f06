import { type ReadRequest, runJob } from './read-job.ts'

/** The thread that opens and reads mail. What a hostile mail does to it ends with it: the page kills and replaces it. */
addEventListener('message', ({ data }: MessageEvent<ReadRequest>) => {
  runJob(data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: String(error) }),
  )
})
postMessage({ ready: true })
