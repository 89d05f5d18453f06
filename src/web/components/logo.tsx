/** The logo. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path
        className="wing-fore"
        d="M30.4 37.2C19.600 35.800 8.800 27.200 6 10.400c14.600 1.800 24 11.200 25.200 24.400z"
      />
      <path className="wing-hind" d="M34 37.2c2.400-11.200 11.200-19.400 24-20.800-1.800 13.200-10 20.400-22.800 22z" />
      <path className="wing-body" d="M30.600 36.400c4.400 3 8.400 9.200 9.800 20-5.400-5-9.800-11.800-11.800-18.400z" />
    </svg>
  )
}
