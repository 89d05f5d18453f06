import { createElement, type SVGProps } from 'react'

/**
 * The build replaces Lucide's `createLucideIcon` with this (see vite.config.ts). It draws the same icon without the
 * contexts, aliases and class names, which are not used here. The shapes are text, because React takes longer to render
 * them as elements than the rest of an inbox row.
 */
export default function createIcon(shapes: string) {
  const html = { __html: shapes }
  return ({ size = 24, ...rest }: SVGProps<SVGSVGElement> & { size?: number }) =>
    createElement('svg', {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: '2',
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      ...rest,
      dangerouslySetInnerHTML: html,
    })
}
