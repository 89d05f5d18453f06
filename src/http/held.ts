import type { FastifyRequest } from 'fastify'

const held = new WeakSet<FastifyRequest>()

/** Marks a request as held until a message arrives: how long it takes says nothing about the service. */
export const hold = (request: FastifyRequest): void => void held.add(request)

export const isHeld = (request: FastifyRequest): boolean => held.has(request)
