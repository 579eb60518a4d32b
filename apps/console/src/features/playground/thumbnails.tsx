import RemoveIcon from 'virtual:icons/close'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import { dataUrl } from '../../domain/calls/index.ts'
import { useT } from '../../ui'
import type { AttachedImage } from './images.ts'

type Props = { images: readonly AttachedImage[]; remove?: (index: number) => void }

export const Thumbnails = ({ images, remove }: Props) => {
  const t = useT()
  if (images.length === 0) return null
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1, mb: 1 }}>
      {images.map((image, index) => (
        <Box key={image.id} sx={{ position: 'relative' }}>
          <Box component="img" src={dataUrl(image)} alt={image.name} sx={thumbnail} />
          {remove && (
            <IconButton
              size="small"
              aria-label={t('playground.removeImage', { name: image.name })}
              onClick={() => remove(index)}
              sx={removeButton}
            >
              <RemoveIcon sx={{ fontSize: 14 }} />
            </IconButton>
          )}
        </Box>
      ))}
    </Stack>
  )
}

const thumbnail = {
  display: 'block',
  width: 72,
  height: 72,
  objectFit: 'cover',
  borderRadius: '8px',
  border: '1px solid',
  borderColor: 'divider',
}

const removeButton = {
  position: 'absolute',
  top: -8,
  right: -8,
  p: '3px',
  bgcolor: 'background.paper',
  border: '1px solid',
  borderColor: 'divider',
  '&:hover': { bgcolor: 'background.paper' },
}
