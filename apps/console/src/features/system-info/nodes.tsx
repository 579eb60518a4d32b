import type { NodeInfo } from '@hub/contract'
import Stack from '@mui/material/Stack'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { Badge, formatCount, formatTime, type Tone, useT } from '../../ui/index.ts'
import { TableCard } from './scroll-table.tsx'

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
  const result = useQuery({ ...query(api['system-info'].nodes, {}), refetchInterval: refreshMs })
  return (
    <TableCard
      title={t('system-info.nodes.title')}
      intro={t('system-info.nodes.intro')}
      head={columns.map(each => ({
        label: t(`system-info.nodes.${each}`),
        isFigure: figures.has(each),
      }))}
      result={result}
    >
      {nodes => nodes.map(node => <NodeRow key={node.epoch} node={node} />)}
    </TableCard>
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
