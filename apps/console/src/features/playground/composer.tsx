import SendIcon from 'virtual:icons/arrow-upward'
import AttachIcon from 'virtual:icons/image'
import StopIcon from 'virtual:icons/stop'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type ClipboardEvent, type DragEvent, type FormEvent, useRef, useState } from 'react'
import { useT } from '../../ui'
import { notify } from '../../ui/feedback/toast.tsx'
import {
  type AttachedImage,
  imageMegabytesMax,
  imagesMax,
  imageTypes,
  readImages,
} from './images.ts'
import { Thumbnails } from './thumbnails.tsx'

type ComposerProps = {
  isRunning: boolean
  /** A field has an error, or the models are not known yet. */
  isBlocked: boolean
  stop: () => void
  send: (text: string, images: readonly AttachedImage[]) => void
}

const useImages = () => {
  const t = useT()
  const [images, setImages] = useState<readonly AttachedImage[]>([])
  const add = async (files: readonly File[]) => {
    const { images: read, refusals } = await readImages(files, images.length)
    setImages(now => [...now, ...read].slice(0, imagesMax))
    for (const refusal of refusals)
      notify.error(t(`playground.${refusal}`, { max: imagesMax, size: imageMegabytesMax }))
  }
  const remove = (index: number) => setImages(now => now.filter((_, each) => each !== index))
  return { images, add, remove, clear: () => setImages([]) }
}

/** The files that were pasted or dropped: anything else, such as text, is left to the browser. */
const filesOf = (event: ClipboardEvent | DragEvent) => [
  ...('clipboardData' in event ? event.clipboardData : event.dataTransfer).files,
]

export const Composer = ({ isRunning, isBlocked, stop, send }: ComposerProps) => {
  const t = useT()
  const [text, setText] = useState('')
  const { images, add, remove, clear } = useImages()
  const isEmpty = text.trim() === '' && images.length === 0
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isRunning || isBlocked || isEmpty) return
    setText('')
    clear()
    send(text.trim(), images)
  }
  const take = (event: ClipboardEvent | DragEvent) => {
    const files = filesOf(event)
    if (files.length === 0) return
    event.preventDefault()
    void add(files)
  }
  return (
    <Box
      component="form"
      onSubmit={submit}
      onDrop={take}
      onDragOver={event => event.preventDefault()}
      sx={{ position: 'sticky', bottom: 0, pb: 2, pt: 1, bgcolor: 'background.default' }}
    >
      <Thumbnails images={images} remove={remove} />
      <OutlinedInput
        fullWidth
        multiline
        maxRows={8}
        value={text}
        placeholder={t('playground.placeholder')}
        inputProps={{ 'aria-label': t('playground.message') }}
        onChange={event => setText(event.target.value)}
        onPaste={take}
        onKeyDown={event => {
          // Enter also confirms a Chinese or Japanese word in an input method; that must not send.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
        startAdornment={<AttachButton add={add} />}
        endAdornment={
          isRunning ? (
            <IconButton aria-label={t('playground.stop')} onClick={stop}>
              <StopIcon />
            </IconButton>
          ) : (
            <IconButton
              type="submit"
              color="primary"
              aria-label={t('playground.send')}
              disabled={isEmpty || isBlocked}
            >
              <SendIcon />
            </IconButton>
          )
        }
        sx={{ pl: 1, pr: 1, borderRadius: '12px', bgcolor: 'background.paper' }}
      />
    </Box>
  )
}

const AttachButton = ({ add }: { add: (files: readonly File[]) => Promise<void> }) => {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        aria-label={t('playground.attach')}
        title={t('playground.attach')}
        onClick={() => input.current?.click()}
        sx={{ mr: 0.5 }}
      >
        <AttachIcon />
      </IconButton>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept={imageTypes.join(',')}
        data-testid="images"
        onChange={event => {
          void add([...(event.target.files ?? [])])
          // A file can then be chosen twice in a row.
          event.target.value = ''
        }}
      />
    </>
  )
}
