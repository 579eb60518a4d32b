import type { Provider } from '@hub/contract'
import Avatar from '@mui/material/Avatar'

/**
 * The mark of a channel type: initials in a colour of its own. Logos of vendors are trademarks, which the console does
 * not carry.
 */
export const TypeIcon = ({ type, id }: Pick<Provider, 'type' | 'id'>) => (
  <Avatar
    aria-hidden
    variant="rounded"
    sx={{ ...size, bgcolor: `hsl(${hueOf(type)} 45% 30%)`, color: '#fff' }}
  >
    {initialsOf(id)}
  </Avatar>
)

const size = { width: 22, height: 22, mr: 1, fontSize: 10, fontWeight: 600, display: 'inline-flex' }

/** Neighbouring types have colours far apart. At 30 % lightness white has a contrast of at least 5 on each of them. */
const hueOf = (type: number): number => (type * 137) % 360

/** Two initials: of the first two words, or of the only one. */
export const initialsOf = (id: string): string => {
  const [first = '', second = ''] = id.split('-')
  const initials = second === '' ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1)
  return initials.toUpperCase()
}
