const RADIUS = 29
const LENGTH = 2 * Math.PI * RADIUS

/** The logo, with an optional ring for the remaining time. `left` is 0 to 1; without it no ring is drawn. */
export function Logo({ size, left }: { size: number; left?: number }) {
  return (
    <svg className="wing" width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      {left === undefined ? null : (
        <g fill="none" strokeWidth="2" strokeLinecap="round">
          <circle className="wing-track" cx="32" cy="32" r={RADIUS} />
          <circle
            className="wing-left"
            cx="32"
            cy="32"
            r={RADIUS}
            strokeDasharray={LENGTH.toFixed(2)}
            strokeDashoffset={(LENGTH * (1 - Math.max(0, Math.min(1, left)))).toFixed(2)}
            transform="rotate(-90 32 32)"
          />
        </g>
      )}
      <g transform={left === undefined ? undefined : 'translate(32 32) scale(.68) translate(-32 -33)'}>
        <path
          className="wing-fore"
          d="M30.4 37.2C19.600 35.800 8.800 27.200 6 10.400c14.600 1.800 24 11.200 25.200 24.400z"
        />
        <path
          className="wing-hind"
          d="M34 37.2c2.400-11.200 11.200-19.400 24-20.800-1.800 13.200-10 20.400-22.800 22z"
        />
        <path
          className="wing-body"
          d="M30.600 36.400c4.400 3 8.400 9.200 9.800 20-5.400-5-9.800-11.800-11.800-18.400z"
        />
      </g>
    </svg>
  )
}
