import type { FastifyReply, FastifyRequest } from 'fastify'

/** Something that has a URL. Paths are relative to the base path, because clients put that before them. */
export interface Resource {
  type: 'Account' | 'Domain' | 'Message' | 'Source'
  path: string
  fields: object
}

interface Collection {
  type: Resource['type']
  path: string
  members: readonly Resource[]
  total: number
  page: number
  perPage: number
}

/** JSON-LD with the Hydra vocabulary, unless the client prefers plain JSON. */
function wantsLinkedData({ headers: { accept = '' } }: FastifyRequest): boolean {
  const [plain, linked] = [accept.indexOf('application/json'), accept.indexOf('application/ld+json')]
  return plain === -1 || (linked !== -1 && linked < plain)
}

const member = ({ type, path, fields }: Resource): object => ({ '@id': path, '@type': type, ...fields })

export const linkedData = (resource: Resource): object => ({
  '@context': `/contexts/${resource.type}`,
  ...member(resource),
})

function linkedCollection({ type, path, members, total, page, perPage }: Collection): object {
  const last = Math.max(1, Math.ceil(total / perPage))
  const pageAt = (number: number): string => `${path}?page=${number}`
  return {
    '@context': `/contexts/${type}`,
    '@id': path,
    '@type': 'hydra:Collection',
    'hydra:totalItems': total,
    'hydra:member': members.map(member),
    'hydra:view': {
      '@id': pageAt(page),
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': pageAt(1),
      'hydra:last': pageAt(last),
      ...(page > 1 ? { 'hydra:previous': pageAt(page - 1) } : {}),
      ...(page < last ? { 'hydra:next': pageAt(page + 1) } : {}),
    },
  }
}

export function sendJson(request: FastifyRequest, reply: FastifyReply, linked: object, plain: object): FastifyReply {
  const isLinked = wantsLinkedData(request)
  return reply
    .header('vary', 'accept')
    .type(`application/${isLinked ? 'ld+json' : 'json'}; charset=utf-8`)
    .serializer(JSON.stringify)
    .send(isLinked ? linked : plain)
}

export const sendResource = (request: FastifyRequest, reply: FastifyReply, resource: Resource): FastifyReply =>
  sendJson(request, reply, linkedData(resource), resource.fields)

export const sendCollection = (request: FastifyRequest, reply: FastifyReply, collection: Collection): FastifyReply =>
  sendJson(
    request,
    reply,
    linkedCollection(collection),
    collection.members.map(({ fields }) => fields),
  )
