package rmqproof;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;
import jdk.internal.org.objectweb.asm.commons.AdviceAdapter;

/**
 * Writes a line for each step of a broker or a controller, as `rmqproof cluster --rocketmq VERSION --trace` wants it
 * (steps.py says what is in it). The released classes are changed while they are loaded: at the end of the methods that
 * are listed here, and after writes of two fields, a method of this class is called. A line says when the method began
 * and ended, by System.nanoTime, and in which other such method it was called.
 */
public final class StepAgent implements ClassFileTransformer {
    private static final int API = Opcodes.ASM8;
    private static final String SELF = "rmqproof/StepAgent";
    private static final String HA = "org/apache/rocketmq/store/ha/";
    private static final String SWITCH = HA + "autoswitch/AutoSwitchHA";
    private static final Map<String, String> METHODS = new HashMap<>();
    private static final Map<String, String> FIELDS = new HashMap<>();

    private static void methods(String owner, String... names) {
        for (int i = 0; i < names.length; i += 2) {
            METHODS.put(owner + "." + names[i], names[i + 1]);
        }
    }

    static {
        methods("org/apache/rocketmq/store/CommitLog$DefaultAppendMessageCallback", "doAppend", "put");
        methods("org/apache/rocketmq/store/CommitLog$GroupCommitRequest", "wakeupCustomer", "wake");
        methods("org/apache/rocketmq/store/CommitLog", "setConfirmOffset", "confirm", "truncateDirtyFiles", "cut");
        methods("org/apache/rocketmq/store/DefaultMessageStore",
            "appendToCommitLog", "copy", "load", "load", "asyncPutMessage", "answer", "asyncPutMessages", "answer");
        methods(HA + "DefaultHAService",
            "addConnection", "opened", "removeConnection", "closed", "destroyConnections", "closedAll");
        methods(SWITCH + "Service", "setLocalBrokerId", "identity",
            "setBrokerControllerId", "identity", "truncateInvalidMsg", "examine",
            "setSyncStateSet", "set", "markSynchronizingSyncStateSet", "mark", "maybeExpandInSyncStateSet", "expand",
            "removeConnection", "remove", "maybeShrinkSyncStateSet", "shrink", "computeConfirmOffset", "compute");
        methods(SWITCH + "Connection$AbstractWriteSocketService",
            "buildHandshakeBuffer", "tell", "buildTransferHeaderBuffer", "send");
        methods(SWITCH + "Client", "connectMaster", "connect", "doTruncate", "hear",
            "reportSlaveOffset", "report", "closeMaster", "close");
        methods(HA + "autoswitch/EpochFileCache", "initCacheFromFile", "epochs", "appendEntry", "epochs",
            "truncateSuffixByEpoch", "epochs", "truncateSuffixByOffset", "epochs", "truncatePrefixByOffset", "epochs");
        methods("org/apache/rocketmq/broker/controller/ReplicasManager", "changeToMaster", "master",
            "changeToSlave", "slave", "doReportSyncStateSetChanged", "propose");
        methods("org/apache/rocketmq/controller/impl/manager/ReplicasInfoManager", "applyEvent", "apply");
        FIELDS.put(SWITCH + "Connection.slaveId", "named");
        FIELDS.put(SWITCH + "Connection.slaveAckOffset", "ack");
    }

    private static String node;
    private static FileOutputStream output;
    private static long count;
    private static final ThreadLocal<Deque<Open>> OPEN = ThreadLocal.withInitial(ArrayDeque::new);
    /** When this thread began to compute the confirmOffset that it sets next. */
    private static final ThreadLocal<Long> COMPUTED = new ThreadLocal<>();

    /** A method that has begun. */
    private static final class Open {
        final String step;
        final long began = System.nanoTime();
        final String of;

        Open(String step, String of) {
            this.step = step;
            this.of = of;
        }
    }

    /** The argument is the node's name, the release and the file, with commas between. */
    public static void premain(String argument, Instrumentation instrumentation) throws IOException {
        String[] parts = argument.split(",", 3);
        node = parts[0];
        output = new FileOutputStream(parts[2], true);
        long now = System.nanoTime();
        line("start", now, now, null,
            "\"release\":\"" + parts[1] + "\",\"pid\":" + ProcessHandle.current().pid());
        instrumentation.addTransformer(new StepAgent());
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> was, ProtectionDomain domain, byte[] code) {
        if (name == null || METHODS.keySet().stream().noneMatch(each -> each.startsWith(name + "."))
            && !name.startsWith(SWITCH + "Connection")) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(code);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Changed(name, writer), ClassReader.EXPAND_FRAMES);
            return writer.toByteArray();
        } catch (Throwable problem) {
            failed("change of " + name, problem);
            return null;
        }
    }

    private static final class Changed extends ClassVisitor {
        private final String owner;

        Changed(String owner, ClassVisitor next) {
            super(API, next);
            this.owner = owner;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
            MethodVisitor next = super.visitMethod(access, name, type, generic, thrown);
            boolean body = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0 && !name.startsWith("<");
            return body ? new ChangedMethod(METHODS.get(owner + "." + name), next, access, name, type) : next;
        }
    }

    private static final class ChangedMethod extends AdviceAdapter {
        private final String step;

        ChangedMethod(String step, MethodVisitor next, int access, String name, String type) {
            super(API, next, access, name, type);
            this.step = (access & Opcodes.ACC_STATIC) == 0 ? step : null;
        }

        @Override
        protected void onMethodEnter() {
            if (step != null) {
                push(step);
                loadThis();
                loadArgArray();
                visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "begins",
                    "(Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V", false);
            }
        }

        @Override
        protected void onMethodExit(int opcode) {
            if (step == null) {
                return;
            }
            if (opcode == Opcodes.ATHROW) {
                visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "breaks", "()V", false);
                return;
            }
            Type given = Type.getReturnType(methodDesc);
            if (given.getSort() == Type.VOID) {
                visitInsn(Opcodes.ACONST_NULL);
            } else {
                if (given.getSize() == 2) {
                    dup2();
                } else {
                    dup();
                }
                box(given);
            }
            push(getName());
            loadThis();
            loadArgArray();
            visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "ends",
                "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V", false);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String type) {
            String kind = opcode == Opcodes.PUTFIELD ? FIELDS.get(owner + "." + name) : null;
            if (kind == null || !type.equals("J")) {
                super.visitFieldInsn(opcode, owner, name, type);
                return;
            }
            dup2();  // new local variables would change the frames
            push(kind);
            visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "writes", "(JLjava/lang/String;)V", false);
            dup2X1();
            pop2();
            dupX2();
            dupX2();
            pop();  // object, object, value
            super.visitFieldInsn(opcode, owner, name, type);
            visitMethodInsn(Opcodes.INVOKESTATIC, SELF, "written", "(Ljava/lang/Object;)V", false);
        }
    }

    // --- called by the changed methods ------------------------------------------------------------------------------

    public static void begins(String step, Object self, Object[] arguments) {
        String of = null;
        try {
            of = Steps.before(step, self, arguments);
        } catch (Throwable problem) {
            failed(step, problem);
        }
        Open open = new Open(step, of);
        if (step.equals("propose") && of != null) {
            // the controller stores the set before this method ends, and the process may be killed in between
            line(step, open.began, System.nanoTime(), OPEN.get().peek(), of);
        }
        OPEN.get().push(open);
    }

    /** An exception leaves the method. */
    public static void breaks() {
        Open open = OPEN.get().pop();
        line(open.step, open.began, System.nanoTime(), OPEN.get().peek(), "\"thrown\":true");
    }

    public static void ends(Object result, String method, Object self, Object[] arguments) {
        Open open = OPEN.get().pop();
        if (open.step.equals("compute")) {
            COMPUTED.set(open.began);
            return;
        }
        if (open.step.equals("propose")) {
            return;
        }
        try {
            String said = Steps.after(open.step, open.of, method, self, arguments, result);
            if (open.step.equals("confirm") && COMPUTED.get() != null) {
                said += ",\"computed\":" + COMPUTED.get();
                COMPUTED.remove();
            }
            if (said != null) {
                line(open.step, open.began, System.nanoTime(), OPEN.get().peek(), said);
            }
        } catch (Throwable problem) {
            failed(open.step, problem);
        }
    }

    public static void writes(long value, String kind) {
        OPEN.get().push(new Open(kind, Long.toString(value)));
    }

    public static void written(Object self) {
        Open open = OPEN.get().pop();
        try {
            line(open.step, open.began, System.nanoTime(), OPEN.get().peek(), Steps.written(self, open.of));
        } catch (Throwable problem) {
            failed(open.step, problem);
        }
    }

    static void line(String step, long began, long ended, Object inside, String said) {
        Open open = (Open) inside;
        String within = open == null ? ""
            : ",\"in\":\"" + open.step + "\",\"since\":" + open.began + (step.equals("mark") && open.of != null ? ",\"of\":{" + open.of + "}" : "");
        String thread = Thread.currentThread().getName().replace('"', ' ').replace('\\', ' ') + "#" + Thread.currentThread().getId();
        synchronized (StepAgent.class) {
            count++;
            String text = "{\"node\":\"" + node + "\",\"number\":" + count + ",\"step\":\"" + step + "\",\"began\":" + began
                + ",\"ended\":" + ended + ",\"thread\":\"" + thread + "\"" + within
                + (said.isEmpty() ? "" : "," + said) + "}\n";
            try {
                output.write(text.getBytes(StandardCharsets.UTF_8));
            } catch (IOException problem) {
                System.err.println("rmqproof: " + problem);
            }
        }
    }

    static void failed(String what, Throwable problem) {
        long now = System.nanoTime();
        String text = (problem + " " + Arrays.toString(problem.getStackTrace())).replace('"', ' ').replace('\\', ' ');
        line("failed", now, now, null, "\"what\":\"" + what + "\",\"why\":\"" + text.replace('\n', ' ') + "\"");
    }
}
