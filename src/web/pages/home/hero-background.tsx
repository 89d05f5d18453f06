import css from './hero.module.css'

/** Decorative drawing of still water. One ripple runs over it when a message arrives. */
export function HeroBackground({ arrived }: { arrived: string | undefined }) {
  return (
    <svg
      className={css.water}
      viewBox="0 0 1200 400"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.25">
        <ellipse cx="600" cy="352" rx="240" ry="20" />
        <ellipse cx="600" cy="352" rx="400" ry="33" />
        <ellipse cx="600" cy="352" rx="560" ry="46" />
        {arrived === undefined ? null : (
          <ellipse key={arrived} className={css.ripple} cx="600" cy="352" rx="560" ry="46" />
        )}
      </g>
    </svg>
  )
}
