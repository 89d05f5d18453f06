import css from './hero.module.css'

/** Decorative drawing of water with ripples. */
export function HeroBackground() {
  return (
    <svg
      className={css.water}
      viewBox="0 0 1200 400"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.25">
        <ellipse className={css.ripple} cx="600" cy="352" rx="560" ry="46" />
        <ellipse className={css.ripple} cx="600" cy="352" rx="560" ry="46" />
        <ellipse className={css.ripple} cx="600" cy="352" rx="560" ry="46" />
        <g strokeLinecap="round" opacity=".22">
          <path d="M40 322h130M215 338h60M960 316h170M890 336h56M1030 352h120M90 362h190M780 372h80M330 380h70" />
        </g>
      </g>
    </svg>
  )
}
