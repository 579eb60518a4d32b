import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import ReactMarkdown, { type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { useT } from '../../locales/use-t.ts'
import { mono } from '../theme.ts'

/** The allowed HTML of administrators and models: no style, script, form or frame. */
const allowed: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(name => name !== 'input'),
  clobberPrefix: 'text-',
  protocols: { ...defaultSchema.protocols, src: ['https'], href: ['http', 'https', 'mailto'] },
}

type Props = {
  text: string
  title?: string
  /** `model`: never a frame, and pictures load on a click only, because an address may carry the chat away. */
  from?: 'site' | 'model'
}

/** The HTML parser is larger than the rest of the renderer, so only texts with tags load it. */
const HtmlMarkdown = lazy(async () => {
  const { default: raw } = await import('rehype-raw')
  return {
    default: ({ text, from }: Pick<Props, 'text' | 'from'>) => (
      <SanitizedMarkdown text={text} from={from} plugins={[raw, [rehypeSanitize, allowed]]} />
    ),
  }
})
const plainPlugins: Options['rehypePlugins'] = [[rehypeSanitize, allowed]]

/** Renders sanitised Markdown or HTML. No other component turns foreign text into elements. */
export const Markdown = ({ text, title = '', from = 'site' }: Props) => {
  if (from === 'site' && isAddress(text)) return <Frame address={text.trim()} title={title} />
  const plain = <SanitizedMarkdown text={text} from={from} plugins={plainPlugins} />
  return (
    <Box sx={prose}>
      {/<[a-z!/]/i.test(text) ? (
        <Suspense fallback={plain}>
          <HtmlMarkdown text={text} from={from} />
        </Suspense>
      ) : (
        plain
      )}
    </Box>
  )
}

const SanitizedMarkdown = ({
  text,
  from,
  plugins,
}: {
  text: string
  from: Props['from']
  plugins: Options['rehypePlugins']
}) => (
  <ReactMarkdown
    remarkPlugins={[remarkGfm]}
    rehypePlugins={plugins ?? []}
    components={{
      a: ({ node: _, ...rest }) => <a {...rest} target="_blank" rel="noreferrer noopener" />,
      img: ({ node: _, ...rest }) =>
        from === 'model' ? <PictureOnClick {...rest} /> : <Picture {...rest} />,
    }}
  >
    {text}
  </ReactMarkdown>
)

type PictureProps = ComponentProps<'img'>

const Picture = ({ alt = '', ...rest }: PictureProps) => (
  <img {...rest} alt={alt} loading="lazy" referrerPolicy="no-referrer" />
)

/** Nothing is requested from the picture's host before the click. */
const PictureOnClick = (props: PictureProps) => {
  const t = useT()
  const [isShown, setShown] = useState(false)
  if (isShown) return <Picture {...props} />
  const { src = '', alt = '' } = props
  if (!URL.canParse(src)) return alt
  return (
    <Button
      size="small"
      variant="outlined"
      onClick={event => {
        // A picture may stand in a link.
        event.preventDefault()
        setShown(true)
      }}
    >
      {t('common.loadPicture', { host: new URL(src).host })}
      {alt && ` (${alt})`}
    </Button>
  )
}

export const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text.trim())

/** Another site in a sandbox: its scripts run without access to this page or session. */
const Frame = ({ address, title }: { address: string; title: string }) => (
  <Box
    component="iframe"
    src={address}
    title={title || address}
    sandbox="allow-scripts allow-forms allow-popups"
    referrerPolicy="no-referrer"
    sx={{ width: '100%', height: 'calc(100dvh - 64px)', border: 0, display: 'block' }}
  />
)

const prose = {
  overflowWrap: 'anywhere',
  lineHeight: 1.65,
  '& > :first-of-type': { mt: 0 },
  '& > :last-child': { mb: 0 },
  '& h1': { fontSize: 20 },
  '& h2': { fontSize: 18 },
  '& h3': { fontSize: 16 },
  '& h1, & h2, & h3': { fontWeight: 600, lineHeight: 1.35 },
  '& a': { color: 'primary.main' },
  '& img': { maxWidth: '100%' },
  '& code': {
    fontFamily: mono,
    fontSize: '0.92em',
    bgcolor: 'action.hover',
    px: 0.5,
    borderRadius: '4px',
  },
  '& pre': {
    overflowX: 'auto',
    p: 1.5,
    borderRadius: '8px',
    bgcolor: 'action.hover',
    fontSize: 13,
  },
  '& pre code': { bgcolor: 'transparent', p: 0 },
  '& table': { display: 'block', overflowX: 'auto', borderCollapse: 'collapse' },
  '& th, & td': { border: '1px solid', borderColor: 'divider', px: 1, py: 0.5, textAlign: 'left' },
  '& blockquote': {
    m: 0,
    pl: 2,
    borderLeft: '3px solid',
    borderColor: 'divider',
    color: 'text.secondary',
  },
} as const
