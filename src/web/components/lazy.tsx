import { type ComponentType, lazy } from 'react'
import { ProblemLine } from './problem-line.tsx'

const Unavailable = () => <ProblemLine problem={{ code: 'offline' }} />

/**
 * Loads a rarely used component on demand. If loading fails, an error message is shown in its place and the page stays
 * usable.
 */
export const lazyComponent = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(() => Unavailable as ComponentType<Props>) }))
