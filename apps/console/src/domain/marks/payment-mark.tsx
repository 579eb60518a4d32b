import Avatar from '@mui/material/Avatar'

type Props = { icon: string; name: string }

/** The icon of a payment gateway; the first letter of its name where the image cannot be loaded. */
export const PaymentMark = ({ icon, name }: Props) => (
  <Avatar
    variant="rounded"
    src={icon}
    alt=""
    slotProps={{ img: { referrerPolicy: 'no-referrer' } }}
    sx={{
      width: 25,
      height: 25,
      fontSize: 12,
      borderRadius: '5px',
      bgcolor: 'action.selected',
      color: 'text.secondary',
    }}
  >
    {name.slice(0, 1).toUpperCase()}
  </Avatar>
)
