import type { NodeInfo } from '@hub/contract'
import Stack from '@mui/material/Stack'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import {
  Badge,
  Card,
  ErrorState,
  formatCount,
  formatTime,
  type Tone,
  useT,
} from '../../ui/index.ts'
import { ScrollTable } from './scroll-table.tsx'

const columns = [
  ...(['host', 'state', 'version'] as const),
  ...(['calls', 'load', 'lag', 'memory'] as const),
  ...(['started', 'reported'] as const),
]
const figures: ReadonlySet<string> = new Set(['calls', 'load', 'lag', 'memory'])
const tones: Record<NodeInfo['state'], Tone> = { running: 'green', silent: 'amber', ended: 'gray' }
/** A node reports every ten seconds. */
const refreshMs = 10_000

/** The nodes of the last day, and how each one is. */
export const Nodes = () => {
  const t = useT()
  const { data, error, refetch } = useQuery({
    ...query(api['system-info'].nodes, {}),
    refetchInterval: refreshMs,
  })
  return (
    <Card title={t('system-info.nodes.title')} intro={t('system-info.nodes.intro')} flush>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && (
        <ScrollTable
          label={t('system-info.nodes.title')}
          head={columns.map(each => ({
            label: t(`system-info.nodes.${each}`),
            isFigure: figures.has(each),
          }))}
        >
          {data.map(node => (
            <NodeRow key={node.epoch} node={node} />
          ))}
        </ScrollTable>
      )}
    </Card>
  )
}

const NodeRow = ({ node }: { node: NodeInfo }) => (
  <TableRow>
    <TableCell>{node.host}</TableCell>
    <TableCell>
      <Stack direction="row" sx={{ gap: 0.5 }}>
        <Badge tone={tones[node.state]} labelKey={`system-info.nodes.${node.state}`} />
        {node.is_answering && <Badge tone="blue" labelKey="system-info.nodes.answering" />}
      </Stack>
    </TableCell>
    <TableCell>{`${node.version} · Node.js ${node.runtime.replace(/^v/, '')}`}</TableCell>
    <TableCell align="right">{formatCount(node.live_calls)}</TableCell>
    <TableCell align="right">{`${node.load_percent} %`}</TableCell>
    <TableCell align="right">{`${formatCount(node.lag_ms)} ms`}</TableCell>
    <TableCell align="right">{`${formatCount(node.memory_mib)} MiB`}</TableCell>
    <TableCell>{formatTime(node.started_at)}</TableCell>
    <TableCell>{formatTime(node.reported_at)}</TableCell>
  </TableRow>
)
