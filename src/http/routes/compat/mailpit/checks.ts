import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MayflyError } from '#core/errors.ts'
import type {
  CheckedLink,
  FeatureIssue,
  HtmlCheck,
  LinksWanted,
  MailClient,
  MessageCheck,
} from '#core/mailbox/checks.ts'
import type { RouteContext, Routes } from '../../../context.ts'
import { checkOptions } from '../../mailbox/checks.ts'
import { messageReader, type OfMessage } from './read.ts'

const hide = true
const PERCENT = 100

/** The versions and notes of caniemail.com are not known here. */
function warningJson(
  { feature, title, category, found, share, ...issue }: FeatureIssue,
  clients: HtmlCheck['clients'],
) {
  const supportOf = ({ name }: MailClient): string =>
    issue.unsupported.includes(name) ? 'no' : issue.partial.includes(name) ? 'partial' : 'yes'
  const known = clients.filter(({ name }) => !issue.unknown.includes(name))
  return {
    Slug: feature,
    Title: title,
    Description: '',
    URL: `https://www.caniemail.com/features/${feature}/`,
    Category: category,
    Tags: [],
    Keywords: '',
    NotesByNumber: {},
    Results: known.map((client) => ({
      Name: client.name,
      Family: client.family,
      Platform: client.platform,
      Version: '',
      Support: supportOf(client),
      NoteNumber: '',
    })),
    Score: {
      Found: found,
      Supported: (1 - share.unsupported - share.partial) * PERCENT,
      Partial: share.partial * PERCENT,
      Unsupported: share.unsupported * PERCENT,
    },
  }
}

/** The total is that of the worst feature, weighted by how many of the elements use it. */
function htmlJson({ elements, features, clients, issues }: HtmlCheck): object {
  const worst = (kind: 'unsupported' | 'partial'): number =>
    Math.max(0, ...issues.map(({ share, found }) => share[kind] * Math.min(1, found / Math.max(1, elements))))
  const [unsupported, partial] = [worst('unsupported') * PERCENT, worst('partial') * PERCENT]
  const platforms = Map.groupBy(clients, ({ platform }) => platform)
  return {
    Platforms: Object.fromEntries([...platforms].map(([name, each]) => [name, each.map(({ family }) => family)])),
    Total: {
      Nodes: elements,
      Tests: features,
      Supported: Math.max(0, PERCENT - unsupported - partial),
      Partial: partial,
      Unsupported: unsupported,
    },
    Warnings: issues.map((issue) => warningJson(issue, clients)),
  }
}

/** Without `follow`, the first answer counts. */
function linkJson({ url, check }: CheckedLink, follow: boolean): { URL: string; StatusCode: number; Status: string } {
  const first = check?.redirects[0]
  const status = (!follow && first ? first.status : check?.status) ?? 0
  const text = status > 0 ? (STATUS_CODES[status] ?? '') : (check?.reason ?? 'Not checked')
  return { URL: url, StatusCode: status, Status: text }
}

const isBroken = ({ StatusCode: status }: { StatusCode: number }): boolean => status === 0 || status >= 400

export const checkRoutes: Routes = (app, context: RouteContext) => {
  const read = messageReader(context)

  function check(request: FastifyRequest<OfMessage>, reply: FastifyReply, links: LinksWanted): Promise<MessageCheck> {
    return read(reply, request.params.id, (open, id) =>
      context.deps.checkMessage(open, id, checkOptions(context, request, reply, links)),
    )
  }

  app.get<OfMessage>('/api/v1/message/:id/html-check', { schema: { hide } }, async (request, reply) => {
    const { html } = await check(request, reply, 'list')
    if (html === null) throw new MayflyError('invalid_request', 'The message has no HTML')
    return htmlJson(html)
  })

  app.get<OfMessage & { Querystring: { follow?: string } }>(
    '/api/v1/message/:id/link-check',
    { schema: { hide } },
    async (request, reply) => {
      const follow = ['true', '1'].includes(request.query.follow ?? '')
      // Mailpit opens all links.
      const { links } = await check(request, reply, 'check-all')
      const shown = links.list.map((link) => linkJson(link, follow))
      return { Errors: shown.filter(isBroken).length, Links: shown }
    },
  )

  app.get<OfMessage>('/api/v1/message/:id/sa-check', { schema: { hide } }, async (request, reply) => {
    const { spam } = await check(request, reply, 'list')
    if (!spam) throw new MayflyError('invalid_request', 'SpamAssassin is not enabled')
    if ('error' in spam) return { Error: spam.error, IsSpam: false, Score: 0, Rules: null }
    const rules = spam.rules.map(({ name, score, description }) => ({
      Name: name,
      Score: score,
      Description: description,
    }))
    return { Error: '', IsSpam: spam.isSpam, Score: spam.score, Rules: rules }
  })
}
