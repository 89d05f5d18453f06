import css from './hero.module.css'

/** Still water at first light: a horizon, and the rings where something touched it. Only to look at. */
export function Water() {
  return (
    <svg
      className={css.water}
      viewBox="0 0 1200 400"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.25">
        <ellipse className={css.ripple} cx="600" cy="300" rx="520" ry="84" />
        <ellipse className={css.ripple} cx="600" cy="300" rx="520" ry="84" />
        <ellipse className={css.ripple} cx="600" cy="300" rx="520" ry="84" />
        <g strokeLinecap="round" opacity=".22">
          <path d="M60 336h150M250 352h70M930 330h190M860 350h60M1010 366h120M120 372h220M520 384h160M760 378h90" />
        </g>
      </g>
    </svg>
  )
}
