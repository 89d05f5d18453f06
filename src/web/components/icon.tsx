import { createElement, type SVGProps } from 'react'

/**
 * The build replaces Lucide's `createLucideIcon` with this (see vite.config.ts). It draws the same icon without the
 * contexts, aliases and class names, which are not used here.
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
