import type { Cluster } from './cluster.ts';
import { cut, heal, NODES, type NodeNumber, signalNode } from './network.ts';

/** Nodes by their role at the beginning of a fault. */
export interface Stage {
  cluster: Cluster;
  primary: NodeNumber;
  standby: NodeNumber;
  third: NodeNumber;
}

export interface Fault {
  about: string;
  /** When intake has to be back, in seconds after the fault. */
  barSeconds: number;
  /**
   * Given if a majority, the second copy or the way to it is gone meanwhile: how many seconds intake may take once it is
   * back, if that is later than the bar.
   */
  againSeconds?: number;
  holdSeconds: number;
  begin: (stage: Stage) => void | Promise<void>;
  end?: (stage: Stage) => void | Promise<void>;
  /** Once intake is back. */
  finish?: (stage: Stage) => void | Promise<void>;
}

/** Key of 20 seconds, the election and two health checks, on a calm machine. */
const FAILOVER_SECONDS = 35;
/** Patroni's turn in which it names another standby. */
const STANDBY_SECONDS = 5;
/** How long intake may take once a majority, two copies and the way to them are there again. */
const AGAIN_SECONDS = 15;
/** `ttl` of `deploy/ha/patroni.yml`: a new leader of etcd gives the key of a lost primary its whole life again. */
const TTL_SECONDS = 20;

const POSTMASTER = /bin\/postgres -D/;
const ETCD = /\/etcd/;

/** The faults of the proof, in their order. */
export const FAULTS: Record<string, Fault> = {
  switchover: {
    about: 'planned switchover (`patronictl switchover`)',
    barSeconds: FAILOVER_SECONDS,
    holdSeconds: 10,
    begin: ({ cluster }) => cluster.switchOver(),
  },
  primary: {
    about: "primary's machine killed, back after 40 s",
    barSeconds: FAILOVER_SECONDS,
    holdSeconds: 40,
    begin: ({ primary }) => signalNode(primary, 'SIGKILL'),
    end: ({ cluster, primary }) => cluster.startNode(primary),
  },
  standby: {
    about: 'synchronous standby killed, back after 20 s',
    barSeconds: STANDBY_SECONDS,
    holdSeconds: 20,
    begin: ({ standby }) => signalNode(standby, 'SIGKILL'),
    end: ({ cluster, standby }) => cluster.startNode(standby),
  },
  postmaster: {
    about: 'postmaster killed, its Patroni lives',
    barSeconds: FAILOVER_SECONDS,
    holdSeconds: 10,
    begin: ({ primary }) => signalNode(primary, 'SIGKILL', POSTMASTER),
  },
  partition: {
    about: 'primary cut off for 45 s',
    barSeconds: FAILOVER_SECONDS,
    holdSeconds: 45,
    begin: ({ primary }) => void cut(primary),
    end: ({ primary }) => void heal(primary),
  },
  'partition-recovering': {
    about: 'primary cut off for 45 s while the third node recovers',
    barSeconds: FAILOVER_SECONDS,
    againSeconds: AGAIN_SECONDS,
    holdSeconds: 45,
    begin: async ({ cluster, third, primary }) => {
      signalNode(third, 'SIGKILL');
      await cluster.startNode(third);
      cut(primary);
    },
    end: ({ primary }) => void heal(primary),
  },
  frozen: {
    about: 'primary frozen for 45 s, then awake',
    barSeconds: FAILOVER_SECONDS,
    holdSeconds: 45,
    begin: ({ primary }) => signalNode(primary, 'SIGSTOP'),
    end: ({ primary }) => signalNode(primary, 'SIGCONT'),
  },
  etcd: {
    about: 'all etcd frozen for 40 s',
    barSeconds: FAILOVER_SECONDS,
    againSeconds: AGAIN_SECONDS,
    holdSeconds: 40,
    begin: () => {
      for (const node of NODES) signalNode(node, 'SIGSTOP', ETCD);
    },
    end: () => {
      for (const node of NODES) signalNode(node, 'SIGCONT', ETCD);
    },
  },
  two: {
    about: 'primary and synchronous standby killed, the standby back after 30 s',
    barSeconds: FAILOVER_SECONDS,
    againSeconds: TTL_SECONDS + AGAIN_SECONDS,
    holdSeconds: 30,
    begin: ({ primary, standby }) => {
      signalNode(primary, 'SIGKILL');
      signalNode(standby, 'SIGKILL');
    },
    end: ({ cluster, standby }) => cluster.startNode(standby),
    finish: ({ cluster, primary }) => cluster.startNode(primary),
  },
  haproxy: {
    about: 'HAProxy killed, back after 10 s',
    barSeconds: FAILOVER_SECONDS,
    againSeconds: AGAIN_SECONDS,
    holdSeconds: 10,
    begin: ({ cluster }) => cluster.killHaproxy(),
    end: ({ cluster }) => cluster.startHaproxy(),
  },
};
