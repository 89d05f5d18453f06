import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  account,
  eraseRequest,
  shownAccount,
  portalLink,
  sessionId,
  signInLink,
  signInRequest,
} from '#contract/account.ts'
import { signedInGrant } from '../../auth/auth.ts'
import { guard } from '../../auth/guard.ts'
import type { RouteContext, Routes } from '../../context.ts'
import { contentDisposition } from '../../download.ts'
import { accountJson } from '../../json/account.ts'
import { enterOrThrow } from '../../limits/held.ts'
import { takeOrThrow } from '../../limits/limits.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { answer, BODY_PROBLEMS, json, limitText, nothing, problems, ref } from '../../schema.ts'

const tags = ['Account of the site']
const NOT_SIGNED_IN = problems('not_signed_in')

/** Requests a sign-in link. The response does not reveal whether the email address has an account. */
export function askForLink(
  { account: accountAuth, deps, rates, tokens }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  lang: string | undefined,
): void {
  takeOrThrow(rates.signIns, request, reply)
  deps.signIn.ask({
    email,
    language: knownLanguage(lang, deps.languages),
    browser: accountAuth.knowBrowser(request, reply),
    from: request.ip,
    session: accountAuth.tokenOf(request),
  })
  tokens.forget(request, reply, '/account')
}

/**
 * Signs in the browser that requested the link. An address of the subscription stays open: its pass is for the former session,
 * which ends.
 */
export async function openLink(
  { account: accountAuth, auth, deps, tokens }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  by: { token: string } | { code: string },
): Promise<void> {
  const browser = accountAuth.browserOf(request)
  const userAgent = request.headers['user-agent'] ?? ''
  const session = accountAuth.tokenOf(request)
  const opened = await auth.open(request)
  accountAuth.setCookie(reply, await deps.signIn.open({ ...by, browser, session, userAgent }))
  const signedIn = opened && (await accountAuth.find(request))
  if (signedIn && signedIn.subscription.id === opened.open.row.subscriptionId)
    await auth.setCookie(request, reply, opened)
  tokens.forget(request, reply, '/account')
}

/** Signs the browser out. Also closes an address of the subscription, because the browser may be someone else's. */
export async function signOut(
  { account: accountAuth, auth, deps }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const signedIn = await accountAuth.find(request)
  const opened = signedIn && (await auth.open(request))
  if (opened && opened.open.row.subscriptionId === signedIn.subscription.id) auth.clearCookie(reply)
  if (signedIn) await deps.signIn.end(signedIn)
  accountAuth.clearCookie(reply)
}

/**
 * Signing in, and what subscribers see and do in their accounts. For the site only: the cookie is the only credential.
 */
export const accountRoutes: Routes = (app, context) => {
  const { account: accountAuth, auth, deps, options } = context

  app.post<{ Body: { email: string; lang?: string } }>(
    '/account/sign-in',
    {
      schema: {
        tags,
        operationId: 'askForSignInLink',
        summary: 'Request a sign-in link',
        description:
          'The response is the same whether or not a subscription has this email address. ' +
          limitText('request', options.rates.signIns),
        body: ref(signInRequest),
        response: {
          202: nothing('If there is a subscription, the email was sent'),
          ...problems('email_invalid', 'forbidden_origin', ...BODY_PROBLEMS),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      askForLink(context, request, reply, request.body.email, request.body.lang)
      return reply.status(202).send()
    },
  )

  app.post<{ Body: { token?: string; code?: string } }>(
    '/account/session',
    {
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in with a link or its code',
        description:
          'Sets the cookie of the account. Only the browser that requested the link can be signed in. A repetition returns the same session while it exists and the link has not expired. After five wrong codes the link is invalid.',
        body: ref(signInLink),
        response: {
          204: nothing('Signed in'),
          ...problems(
            'sign_in_link_invalid',
            'sign_in_unconfirmed',
            'sign_in_code_invalid',
            'forbidden_origin',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const { token, code = '' } = request.body
      await openLink(context, request, reply, token === undefined ? { code } : { token })
      return reply.status(204).send()
    },
  )

  app.delete(
    '/account/session',
    {
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session and clears the cookie of the account.',
        response: { 204: nothing('Signed out'), ...problems('forbidden_origin') },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      await signOut(context, request, reply)
      return reply.status(204).send()
    },
  )

  app.get(
    '/account',
    {
      schema: {
        tags,
        operationId: 'getAccount',
        summary: 'Get the account',
        description: 'Returns the subscription, its limits, payments and sessions.',
        response: { 200: json(account, 'The account'), ...NOT_SIGNED_IN },
      },
    },
    async (request) => accountJson(await deps.account.view(await accountAuth.session(request))),
  )

  app.delete<{ Params: { id: string } }>(
    '/account/sessions/:id',
    {
      schema: {
        tags,
        operationId: 'endSession',
        params: sessionId,
        description: 'Ends the session of another browser.',
        summary: 'Sign out another browser',
        response: {
          204: nothing('The browser is signed out'),
          ...problems('not_signed_in', 'session_not_found', 'forbidden_origin'),
        },
      },
    },
    async (request, reply) => {
      await deps.account.endSession(await accountAuth.session(request), request.params.id)
      return reply.status(204).send()
    },
  )

  app.post(
    '/account/portal',
    {
      schema: {
        tags,
        operationId: 'openPortal',
        summary: 'Open the page of the payment service',
        description: 'Returns the URL of the page for cards, invoices and cancellation.',
        response: {
          200: json(portalLink, 'The URL of the page for cards, invoices and cancellation'),
          ...problems(
            'not_signed_in',
            'email_unconfirmed',
            'portal_unavailable',
            'payment_unavailable',
            'forbidden_origin',
          ),
        },
      },
    },
    async (request) => ({ url: await deps.account.portal(await accountAuth.session(request)) }),
  )

  app.get(
    '/account/export',
    {
      // Otherwise the whole export would be produced and thrown away.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'exportAccount',
        summary: 'Export the account',
        querystring: shownAccount,
        description:
          'Returns the account with its addresses, payments and settings, and all messages. Its `README.txt` says what is not in it.',
        response: {
          200: answer('application/zip', 'A ZIP file with `account.json` and all messages as `.eml`'),
          ...NOT_SIGNED_IN,
        },
      },
    },
    async (request, reply) => {
      const signedIn = await accountAuth.session(request)
      const leave = enterOrThrow(context, request, reply)
      const archive = Readable.from(deps.exportAccount(signedIn), { objectMode: false })
      const guarded = guard([signedInGrant(request, signedIn, accountAuth.find)], deps)
      guarded.signal.addEventListener('abort', () => archive.destroy())
      archive.once('close', () => {
        guarded.stop()
        leave()
      })
      return reply
        .headers({ 'content-disposition': contentDisposition('mayfly.zip'), 'cache-control': 'no-store' })
        .type('application/zip')
        .send(archive)
    },
  )

  app.delete<{ Body: { email: string } }>(
    '/account',
    {
      schema: {
        tags,
        operationId: 'eraseAccount',
        summary: 'Delete the account',
        description:
          'Deletes the account with all addresses and messages immediately. What pays for it at a payment service is ended first. If the payment service cannot be reached, or a payment is pending, nothing is deleted.',
        body: ref(eraseRequest),
        response: {
          204: nothing('Everything is deleted'),
          ...problems(
            'not_signed_in',
            'email_unconfirmed',
            'email_invalid',
            'payment_unavailable',
            'payment_pending',
            'forbidden_origin',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      auth.requireOwnOrigin(request)
      const token = accountAuth.tokenOf(request) ?? ''
      // If the response to the deletion was lost, its repetition succeeds too.
      if (!(await deps.signIn.isDeleted(token, accountAuth.shown(request))))
        await deps.deleteAccount(await accountAuth.session(request), request.body.email, accountAuth.browserOf(request))
      accountAuth.clearCookie(reply)
      return reply.status(204).send()
    },
  )
}
