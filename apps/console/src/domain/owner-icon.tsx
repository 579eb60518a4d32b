import Avatar from '@mui/material/Avatar'

/** The icon of an owner, or the first letter of the name when there is none or it fails to load. */
export const OwnerIcon = ({ src, name }: { src: string; name: string }) => (
  <Avatar
    variant="rounded"
    src={/^https?:/.test(src) ? src : ''}
    alt=""
    slotProps={{ img: { referrerPolicy: 'no-referrer', loading: 'lazy' } }}
    sx={{ width: 24, height: 24, fontSize: 12, bgcolor: 'primary.light', color: 'primary.main' }}
  >
    {name.slice(0, 1).toUpperCase()}
  </Avatar>
)
