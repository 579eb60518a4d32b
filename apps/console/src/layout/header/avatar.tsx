import Avatar from '@mui/material/Avatar'

type Props = { user: { avatar_url: string; display_name: string; username: string }; size: number }

/** The picture of a user, or the first letter of the name. */
export const UserAvatar = ({ user, size }: Props) => {
  const name = user.display_name || user.username
  return (
    <Avatar
      alt={name}
      src={user.avatar_url || ''}
      slotProps={{ img: { referrerPolicy: 'no-referrer' } }}
      sx={{
        width: size,
        height: size,
        fontSize: size * 0.42,
        fontWeight: 600,
        bgcolor: 'primary.light',
        color: 'primary.dark',
      }}
    >
      {name.slice(0, 1).toUpperCase()}
    </Avatar>
  )
}
