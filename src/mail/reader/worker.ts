import { workerData } from 'node:worker_threads'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { foldOnce, hasWord } from '#core/text.ts'
import { reportOf } from '../forwarding/report.ts'
import { signRemoteUrl } from '../html/signed-url.ts'
import { textOfHtml } from '../html/to-text.ts'
import { archiveOf } from './archive.ts'
import { listAttachments } from './attachments.ts'
import { contentOf, imageFrameOf, mailFrameOf, outlineOf } from './content.ts'
import { firstLook } from './first-look.ts'
import type { Job, Result } from './jobs.ts'
import { bytesOf, parseMail } from './parse.ts'
import { serve } from './serve.ts'
import { summarize } from './summarize.ts'
import { useStandardDecoders } from './text-decoder.ts'
import { type ParserData, warmUp } from './warm-up.ts'

// A thread that parses messages. If a hostile message hangs or crashes it, the main thread kills and replaces it.
const { limits, use } = workerData as ParserData
useStandardDecoders()

/** The maximum number of steps of a regular expression in a text or in HTML. They take half a second. */
const STEPS_MAX = 10_000_000

async function run(job: Job): Promise<Result> {
  if (job.kind === 'look') return firstLook(job.raw, job.envelope, limits)
  // Only the report itself is read. The message attached to it is not parsed.
  if (job.kind === 'report') return reportOf(await parseMail(job.raw, limits, limits.maxForwards))
  if (job.kind === 'inspect') {
    const { inspect } = await import('../checks/inspect.ts')
    return inspect(await parseMail(job.raw, limits, limits.maxForwards))
  }
  const mail = await parseMail(job.raw, limits)
  if (job.kind === 'content') return job.outline ? outlineOf(contentOf(mail)) : contentOf(mail)
  if (job.kind === 'frame') {
    const { remote, view } = job
    const signed = new Map<string, string | undefined>()
    const sign = (url: string): string | undefined => {
      if (remote && !signed.has(url) && signed.size < REMOTE_URLS_MAX) signed.set(url, signRemoteUrl(url, remote))
      return signed.get(url)
    }
    return mailFrameOf(mail, view, remote && sign)
  }
  if (job.kind === 'attachment') {
    const attachment = listAttachments(mail)[job.index]
    return attachment && { ...attachment.info, content: bytesOf(attachment.part) }
  }
  if (job.kind === 'contains') {
    const { textPattern } = await import('../text-pattern.ts')
    const { text, html } = contentOf(mail)
    if (job.as === 'word') return job.wanted.map(hasWord(text ?? '', html === null ? '' : (textOfHtml(html) ?? '')))
    const literal = job.as === 'text'
    const fold = foldOnce()
    return job.wanted.map((wanted) => {
      const pattern = textPattern(wanted, { literal })
      return [text ?? '', html ?? ''].some((value) => pattern.steps * value.length <= STEPS_MAX && pattern(value, fold))
    })
  }
  if (job.kind === 'image') return imageFrameOf(mail, job.index)
  if (job.kind === 'archive') return archiveOf(mail)
  if (job.kind === 'summarize') return summarize(mail, job.envelope)
  throw new TypeError(`Unknown job: ${job.kind}`)
}

await serve(run, { inOrder: true, warmUp: () => warmUp(use) })
