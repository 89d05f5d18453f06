import type { Static } from 'typebox'
import { ownDomain, ownDomainChange, ownDomainList, ownDomainName, ownDomainRequest } from '#contract/own-domains.ts'
import type { Routes } from '../context.ts'
import { domainJson } from '../json/account.ts'
import { takeOrThrow } from '../limits/limits.ts'
import { BODY_PROBLEMS, json, nothing, problems, ref } from '../schema.ts'

const tags = ['Account of the site']

type Params = Static<typeof ownDomainName>

/** The domains of a subscriber. */
export const ownDomainRoutes: Routes = (app, { account, deps, rates }) => {
  const { ownDomains } = deps

  app.get(
    '/account/domains',
    {
      schema: {
        tags,
        operationId: 'listOwnDomains',
        summary: 'List own domains',
        description: 'Returns your domains and the DNS records to create for them.',
        response: {
          200: json(ownDomainList, 'The domains and the DNS records to create, oldest first'),
          ...problems('not_signed_in'),
        },
      },
    },
    async (request) => {
      const { subscription } = await account.session(request)
      return { domains: (await ownDomains.list(subscription)).map(domainJson) }
    },
  )

  app.post<{ Body: Static<typeof ownDomainRequest> }>(
    '/account/domains',
    {
      schema: {
        tags,
        operationId: 'addOwnDomain',
        summary: 'Add an own domain',
        description:
          'Adds a domain, except that of the email address of the account. Create its DNS records, then check it.',
        body: ref(ownDomainRequest),
        response: {
          201: json(ownDomain, 'The domain and the DNS records to create'),
          ...problems(
            'not_signed_in',
            'forbidden_origin',
            'premium_required',
            'domain_invalid',
            'domain_of_account',
            'domains_full',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      return reply.status(201).send(domainJson(await ownDomains.add(subscription, request.body.name)))
    },
  )

  app.post<{ Params: Params }>(
    '/account/domains/:name/check',
    {
      schema: {
        tags,
        operationId: 'checkOwnDomain',
        summary: 'Check the DNS records of a domain',
        description: 'Looks up the DNS records now, and verifies the domain if they are right.',
        params: ownDomainName,
        response: {
          200: json(ownDomain, 'The domain with the result'),
          ...problems(
            'not_signed_in',
            'forbidden_origin',
            'premium_required',
            'domain_not_found',
            'domain_of_account',
            'domain_owned',
            'dns_unavailable',
          ),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      takeOrThrow(rates.domainChecks, request, reply, subscription.id)
      return domainJson(await ownDomains.check(subscription, request.params.name))
    },
  )

  app.patch<{ Params: Params; Body: Static<typeof ownDomainChange> }>(
    '/account/domains/:name',
    {
      schema: {
        tags,
        operationId: 'changeOwnDomain',
        summary: 'Choose the catch-all address of a domain',
        description: 'The catch-all address receives all messages to addresses of the domain that do not exist.',
        params: ownDomainName,
        body: ref(ownDomainChange),
        response: {
          200: json(ownDomain, 'The changed domain'),
          ...problems('not_signed_in', 'forbidden_origin', 'domain_not_found', 'address_invalid', ...BODY_PROBLEMS),
        },
      },
    },
    async (request) => {
      const { subscription } = await account.session(request)
      return domainJson(await ownDomains.setCatchAll(subscription, request.params.name, request.body.catchAll))
    },
  )

  app.delete<{ Params: Params }>(
    '/account/domains/:name',
    {
      schema: {
        tags,
        operationId: 'removeOwnDomain',
        summary: 'Remove a domain with its addresses and messages',
        description: 'Deletes the domain, its addresses and their messages immediately.',
        params: ownDomainName,
        response: {
          204: nothing('Everything is deleted'),
          ...problems('not_signed_in', 'forbidden_origin', 'domain_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { subscription } = await account.session(request)
      await ownDomains.remove(subscription, request.params.name)
      return reply.status(204).send()
    },
  )
}
