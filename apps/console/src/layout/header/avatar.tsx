import Avatar from '@mui/material/Avatar'
import defaultAvatar from './default-avatar.svg'

type Props = { user: { avatar_url: string; display_name: string; username: string }; size: number }

/** The picture of a user, or the default image if there is none or it does not load. */
export const UserAvatar = ({ user, size }: Props) => {
  const name = user.display_name || user.username
  return (
    <Avatar
      alt={name}
      src={user.avatar_url || ''}
      slotProps={{ img: { referrerPolicy: 'no-referrer' } }}
      sx={{ width: size, height: size, bgcolor: 'primary.light' }}
    >
      <img src={defaultAvatar} alt={name} width={size} height={size} />
    </Avatar>
  )
}
