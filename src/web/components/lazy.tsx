import { type ComponentType, lazy } from 'react'
import { ProblemLine } from './problem-line.tsx'

const Unavailable = () => <ProblemLine problem={{ code: 'offline' }} />

/** A part that few visitors open, in a file of its own. Where it can't be had, that is said in its place and the page stays. */
export const lazyComponent = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(() => Unavailable as ComponentType<Props>) }))
