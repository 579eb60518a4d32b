import Avatar from '@mui/material/Avatar'
import { Mark } from './mark.tsx'
import { markOfProvider } from './register.ts'

type Props = {
  /** A channel type, or the id of an owner. */
  type: number
  name: string
  /** The address of an own image, which an administrator set. It replaces the mark. */
  icon?: string | undefined
  size?: number
}

/** The mark of a provider or owner, or its initials if it has none. */
export const ProviderMark = ({ type, name, icon = '', size = 20 }: Props) => {
  const mark = <Mark mark={markOfProvider(type)} name={name} size={size} />
  if (!/^https?:/.test(icon)) return mark
  return (
    <Avatar
      variant="rounded"
      src={icon}
      alt=""
      slotProps={{ img: { referrerPolicy: 'no-referrer', loading: 'lazy' } }}
      sx={{ width: size, height: size, bgcolor: 'transparent', color: 'inherit' }}
    >
      {mark}
    </Avatar>
  )
}
