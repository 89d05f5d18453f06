import { createElement, type SVGProps } from 'react'

/**
 * What the build puts in the place of Lucide's own `createLucideIcon` (vite.config.ts): the same picture without its
 * contexts, aliases and class names, which nobody here asks for.
 */
export default function createIcon(node: [string, Record<string, string>][]) {
  return ({ size = 24, ...rest }: SVGProps<SVGSVGElement> & { size?: number }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: '2',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
