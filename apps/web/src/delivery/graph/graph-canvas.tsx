import { useComputedColorScheme } from '@mantine/core';
import type { TouchpointEvent } from '@reachout/contract/event-graph.ts';
import { toConnections, type Connection } from '@reachout/contract/rules/connections.ts';
import type { TouchpointStatus, TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { IconForms, IconUsers } from '@tabler/icons-react';
import {
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  getBezierPath,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  useNodesState,
  type Connection as Drawn,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';
import { idOf, kindOf, sourceOf as beginningOf, type Source } from './connection-values.ts';
import type { OpenedGraph } from './graph-dialog.tsx';
import { layOut } from './graph-layout.ts';
import { useBrandTouchpoints } from './graph-queries.ts';
import { useGraphWords } from './graph-words.ts';
import classes from './graph-canvas.module.css';

type Box = Node<{
  name: string;
  type: TouchpointType | 'form' | 'contacts';
  status: TouchpointStatus | undefined;
  /** How many wait for it. */
  waiting: number;
}>;

type Line = Edge<{ label: string; isFocused: boolean; onOpen: () => void }, 'labelled'>;

interface Props {
  events: readonly TouchpointEvent[];
  place: Pick<TouchpointEvent, 'campaign' | 'brand' | 'client'>;
  onOpen: (opened: OpenedGraph) => void;
}

/** The graph drawn: touchpoints and the beginnings that are people, with a line for each connection. */
export default function GraphCanvas({ events, place, onOpen }: Props) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { can } = useOrganization();
  const colorMode = useComputedColorScheme('light');
  const owner = { client_id: place.client.id, brand_id: place.brand.id };
  const mayRemove = can('update', 'Touchpoint', owner);
  const mayChange = mayRemove && can('send', 'Touchpoint', owner);
  const connections = toConnections(events);
  const [focused, setFocused] = useState<string>();
  const words = useGraphWords(events);
  const openEdge = (id: string) => {
    const connection = connections.find((one) => one.id === id);
    if (connection) onOpen({ kind: 'edit', connection });
  };
  const edges = useEdges(connections, words, focused, openEdge);
  const made = useBoxes(events, edges, words.sourceOf);
  // Where a box was dragged to stays; what it says follows the data.
  const [boxes, setBoxes, onNodesChange] = useNodesState<Box>(made);
  const key = JSON.stringify(made);
  const [known, setKnown] = useState(key);
  if (known !== key) {
    setKnown(key);
    const placed = new Map(boxes.map((box) => [box.id, box]));
    const isSame = boxes.length === made.length && made.every(({ id }) => placed.has(id));
    setBoxes(
      isSame
        ? made.map((box) => ({ ...placed.get(box.id), ...box, position: placed.get(box.id)!.position }))
        : made,
    );
  }

  const openBox = (id: string) => {
    const box = made.find((one) => one.id === id);
    if (!box?.data.status) return;
    onOpen({ kind: 'reactions', name: box.data.name, of: { touchpoint_id: idOf(id) } });
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const part = partOf(event.target as Element);
    const id = part?.dataset['id'];
    if (id === undefined || event.target !== part) return;
    const connection = connections.find((one) => one.id === id);
    if (event.key === 'Enter') {
      event.preventDefault();
      if (connection) openEdge(id);
      else openBox(id);
    } else if (event.key === 'Delete' && connection && mayRemove) onOpen({ kind: 'remove', connection });
  };
  const onConnect = ({ source, target }: Drawn) =>
    onOpen({
      kind: 'connect',
      beginning: { source: source as Source, listener: idOf(target) },
    });
  return (
    <figure className={classes.figure}>
      <div
        className={classes.canvas}
        role="presentation"
        onKeyDownCapture={onKey}
        onFocusCapture={({ target }) => setFocused(partOf(target)?.dataset['id'])}
        onBlurCapture={() => setFocused(undefined)}
      >
        <ReactFlow<Box, Line>
          aria-label={t('graphLabel', { name: place.campaign.name })}
          nodes={boxes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          colorMode={colorMode}
          onNodesChange={onNodesChange}
          onNodeClick={(_, { id }) => openBox(id)}
          onEdgeClick={(_, { id }) => openEdge(id)}
          onConnect={onConnect}
          nodesConnectable={mayChange}
          deleteKeyCode={null}
          // Scrolling the page must not zoom.
          zoomOnScroll={false}
          preventScrolling={false}
          minZoom={0.25}
          maxZoom={1.5}
          fitView
          fitViewOptions={{ padding: 0.1, maxZoom: 1 }}
          ariaLabelConfig={{
            'node.a11yDescription.default': t('nodeHint'),
            'node.a11yDescription.keyboardDisabled': t('nodeHint'),
            'edge.a11yDescription.default': t('edgeHint'),
            'controls.zoomIn.ariaLabel': t('zoomIn'),
            'controls.zoomOut.ariaLabel': t('zoomOut'),
            'controls.fitView.ariaLabel': t('fit'),
            'controls.ariaLabel': t('words.view'),
          }}
        >
          <Controls showInteractive={false} />
        </ReactFlow>
      </div>
      <QuietText component="figcaption" mt="xs">
        {t('graphHint')}
      </QuietText>
    </figure>
  );
}

/** The box or line that has the focus. */
const partOf = (target: Element) => target.closest<HTMLElement>('.react-flow__node, .react-flow__edge');

/** A line for each connection that leads to a touchpoint. */
function useEdges(
  connections: readonly Connection[],
  words: ReturnType<typeof useGraphWords>,
  focused: string | undefined,
  onOpen: (id: string) => void,
): Line[] {
  const { t } = useTranslation('eventGraph');
  return connections.flatMap((connection) => {
    const { id, event, listener } = connection;
    if (!listener) return [];
    const isOff = !event.is_active;
    const label = [
      `${words.eventOf(event).join(' ')} → ${t(`action.${event.action}`)}`,
      words.sayDelay(listener.delay),
      ...(isOff ? [t('off')] : []),
    ].join(' · ');
    return {
      id,
      source: beginningOf(event),
      target: `touchpoint:${listener.listener_touchpoint_id}`,
      type: 'labelled',
      data: { label, isFocused: id === focused, onOpen: () => onOpen(id) },
      ariaLabel: [
        words.nameOf(connection),
        words.sayDelay(listener.delay),
        ...(isOff ? [t('off')] : []),
      ].join(', '),
      ariaRole: 'button' as const,
      domAttributes: { 'aria-roledescription': t('edge') },
      ...(isOff && { className: classes.off! }),
      markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--app-control)' },
    };
  });
}

/** A line with its words in its middle, which wrap. Screen readers have them as the name of the line. */
function LabelledEdge({ id, data, markerEnd, ...ends }: EdgeProps<Line>) {
  const [path, x, y] = ends.sourceX < ends.targetX ? getBezierPath(ends) : bendBack(ends);
  return (
    <>
      <BaseEdge id={id} path={path} {...(markerEnd === undefined ? {} : { markerEnd })} />
      <EdgeLabelRenderer>
        {/* The line has the keys. */}
        <div
          className={`${classes.label} nodrag nopan`}
          data-focused={data?.isFocused || undefined}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          aria-hidden
          onClick={data?.onOpen}
        >
          {data?.label}
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

/** A line that leads back passes below its boxes, so that it does not cover the one that leads there. */
function bendBack({
  sourceX,
  sourceY,
  targetX,
  targetY,
}: Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY'>): [path: string, x: number, y: number] {
  const below = Math.max(sourceY, targetY) + 140;
  const path = `M${sourceX},${sourceY} C${sourceX + 80},${below} ${targetX - 80},${below} ${targetX},${targetY}`;
  return [path, (sourceX + targetX) / 2, (sourceY + targetY + 6 * below) / 8];
}

const edgeTypes = { labelled: LabelledEdge };

function useBoxes(
  events: readonly TouchpointEvent[],
  edges: readonly Edge[],
  sourceOf: (event: TouchpointEvent) => string,
): Box[] {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { data: touchpoints = [] } = useBrandTouchpoints(events[0]?.brand.id ?? '');
  const names = new Map<string, string>();
  const waiting = new Map<string, number>();
  for (const event of events) {
    names.set(beginningOf(event), sourceOf(event));
    for (const { listener_touchpoint_id: id, listener_name: name, numbers } of event.listeners) {
      const box = `touchpoint:${id}`;
      names.set(box, name);
      waiting.set(box, (waiting.get(box) ?? 0) + numbers.waiting);
    }
  }
  const places = layOut([...names.keys()], edges);
  return [...names].map(([id, name]): Box => {
    const touchpoint = touchpoints.find((one) => `touchpoint:${one.id}` === id);
    const kind = kindOf(id) as 'touchpoint' | 'form' | 'contacts';
    const status = kind === 'touchpoint' ? (touchpoint?.status ?? 'archived') : undefined;
    const number = waiting.get(id) ?? 0;
    return {
      id,
      type: 'box',
      position: places.get(id) ?? { x: 0, y: 0 },
      data: {
        name,
        type: kind === 'touchpoint' ? (touchpoint?.type ?? 'email') : kind,
        status,
        waiting: number,
      },
      ariaLabel: [
        name,
        ...(status ? [t(`common:status.${status}`)] : []),
        ...(number > 0 ? [`${t('state.waiting')}: ${number}`] : []),
      ].join(', '),
      ariaRole: 'button' as const,
      domAttributes: { 'aria-roledescription': t('node') },
    };
  });
}

const nodeTypes = { box: BoxNode };

function BoxNode({ data: { name, type, status, waiting } }: NodeProps<Box>) {
  const { t } = useTranslation('eventGraph');
  const format = useFormat();
  return (
    <div className={classes.box} data-person={status === undefined || undefined}>
      {status !== undefined && <Handle type="target" position={Position.Left} />}
      <div className={classes.name}>
        {type === 'form' ? (
          <IconForms size={18} aria-hidden />
        ) : type === 'contacts' ? (
          <IconUsers size={18} aria-hidden />
        ) : (
          <ChannelIcon type={type} />
        )}
        <span>{name}</span>
      </div>
      {status !== undefined && (
        <div className={classes.facts}>
          <StatusBadge status={status} />
          {waiting > 0 && (
            <span>
              {t('state.waiting')}: {format.number(waiting)}
            </span>
          )}
        </div>
      )}
      <Handle type="source" position={Position.Right} />
    </div>
  );
}
