import { parentPort, workerData } from 'node:worker_threads'
import { listAttachments } from './attachments.ts'
import { createAuthenticate } from './authenticate.ts'
import { contentOf } from './content.ts'
import type { Answer, Job, JobResults, Request, WorkerOptions } from './jobs.ts'
import { bytesOf, parseMail } from './parse.ts'
import { stepBack } from './priority.ts'
import { summarize } from './summarize.ts'

/** A thread that reads mail. What a hostile mail does to it ends with it: the main thread kills and replaces it. */
const { limits, authentication } = workerData as WorkerOptions
const authenticate = createAuthenticate(authentication)
stepBack()

async function run(job: Job): Promise<JobResults[Job['kind']]> {
  if (job.kind === 'authenticate') return authenticate(job.raw, job.envelope)
  const mail = await parseMail(job.raw, limits)
  if (job.kind === 'summarize') return summarize(mail, job.envelope)
  if (job.kind === 'content') return contentOf(mail, job.remote)
  const found = listAttachments(mail)[job.index]
  return found && { ...found.info, content: bytesOf(found.part) }
}

parentPort?.on('message', async ({ id, job }: Request) => {
  const answer: Answer = await run(job).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, error: String(error) }),
  )
  parentPort?.postMessage(answer)
})
