import Box from '@mui/material/Box'

type Props = {
  /** The name of a file in `public/marks`. Absent: the initials of `name` are shown. */
  mark: string | undefined
  name: string
  size?: number
}

/** A mark beside the name of its provider or model. It is decoration: the name says the same. */
export const Mark = ({ mark, name, size = 20 }: Props) => {
  const box = { width: size, height: size }
  if (!mark)
    return (
      <Box component="span" aria-hidden data-initials={initialsOf(name)} sx={tile} style={box} />
    )
  const url = `/marks/${mark}.svg`
  if (mark.endsWith('-color'))
    return (
      <img
        src={url}
        alt=""
        {...box}
        style={{ flexShrink: 0, verticalAlign: 'middle' }}
        decoding="async"
      />
    )
  return (
    <Box
      component="span"
      aria-hidden
      data-mark={mark}
      sx={silhouette}
      style={{ ...box, maskImage: `url(${url})` }}
    />
  )
}

const silhouette = {
  display: 'inline-block',
  flexShrink: 0,
  verticalAlign: 'middle',
  bgcolor: 'currentColor',
  // Forced colours would paint the whole box in the colour of the page.
  forcedColorAdjust: 'none',
  maskSize: 'contain',
  maskRepeat: 'no-repeat',
  maskPosition: 'center',
}

/** The initials are no text of the page: copied rows and searches contain the name only. */
const tile = {
  display: 'inline-flex',
  flexShrink: 0,
  verticalAlign: 'middle',
  alignItems: 'center',
  justifyContent: 'center',
  borderRadius: '5px',
  bgcolor: 'action.selected',
  color: 'text.secondary',
  fontSize: 10,
  fontWeight: 600,
  lineHeight: 1,
  '&::before': { content: 'attr(data-initials)' },
}

/** Two Latin words give their first letters, one gives its first two, and other scripts give one character. */
export const initialsOf = (name: string): string => {
  const [first = '', second = ''] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  if (!/^[A-Za-z0-9]/.test(first)) return [...first][0] ?? ''
  const isLatin = /^[A-Za-z0-9]/.test(second)
  return (isLatin ? first.slice(0, 1) + second.slice(0, 1) : first.slice(0, 2)).toUpperCase()
}
