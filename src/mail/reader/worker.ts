import { workerData } from 'node:worker_threads'
import { reportOf } from '../forwarding/report.ts'
import { signRemoteUrl } from '../html/signed-url.ts'
import { listAttachments } from './attachments.ts'
import { contentOf, frameOf, outlineOf } from './content.ts'
import { firstLook, warmUp } from './first-look.ts'
import type { ParseLimits } from './limits.ts'
import { bytesOf, parseMail } from './parse.ts'
import { serve } from './serve.ts'
import { summarize } from './summarize.ts'

/** A thread that parses mail. What a hostile mail does to it ends with it: the main thread kills and replaces it. */
const limits = workerData as ParseLimits

await serve(async (job) => {
  if (job.kind === 'look') return firstLook(job.raw, job.envelope, limits)
  // What lies within a report is evidence, and is not read with it.
  if (job.kind === 'report') return reportOf(await parseMail(job.raw, limits, limits.maxForwards))
  const mail = await parseMail(job.raw, limits)
  if (job.kind === 'content') return job.outline ? outlineOf(contentOf(mail)) : contentOf(mail)
  if (job.kind === 'frame') {
    const { remote, view } = job
    return frameOf(contentOf(mail, remote && ((url) => signRemoteUrl(url, remote))), view)
  }
  if (job.kind === 'attachment') {
    const found = listAttachments(mail)[job.index]
    return found && { ...found.info, content: bytesOf(found.part) }
  }
  if (job.kind === 'summarize') return summarize(mail, job.envelope)
  throw new TypeError(`Not a job of this thread: ${job.kind}`)
}, warmUp)
