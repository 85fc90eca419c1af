// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "./interfaces/IRemitHub.sol";

/// @title HubAccess
/// @notice Who may do what, and what is stopped.
/// @dev    What a thief of each key can take, and how fast, while the others are not stolen:
///         operator         nothing. At once: waste his gas; sweep and distribute early, to the right
///                          receivers, also what was to stay; waive fees, never raise them above the
///                          cap of the address; split distributions, each with a fee up to its cap;
///                          settle upto payments at all that the payer permitted.
///         refundSigner     at once, per token and any 24 hours, what the owner's limit allows; and
///                          waive fees: a refund of one base unit that leaves none deploys a
///                          deposit, so that no limit bounds of how many.
///         configSigner     after configDelay what the registry pays to merchants, unless guardian
///                          or owner vetoes. At once: the first entry of a merchant who has none on
///                          this chain; fees of distributions up to MAX_FEE_BPS, to the collector;
///                          holding up what the registry pays; using up the versions up to
///                          MAX_SIGNED_VERSION, after which the owner alone writes.
///         guardian         nothing. At once: stop all operations and veto, until the owner has
///                          replaced him, GUARDIAN_DELAY_FACTOR times ownerDelay later.
///         owner            after ownerDelay everything, unless the guardian vetoes. At once: what
///                          takes power away, resuming, and approving what the refund signer signed.
abstract contract HubAccess is IRemitHub {
    /// @dev A token that the owner knows. One storage slot.
    struct Token {
        bool listed;
        uint8 decimals;
        uint232 refundLimit;
    }

    /// @notice The bits of `stops`.
    uint8 internal constant SWEEPS = 1;
    uint8 internal constant DISTRIBUTIONS = 2;
    uint8 internal constant REFUNDS = 4;
    uint8 internal constant REGISTRY = 8;

    /// @notice Appoints everybody and sets limits, after `ownerDelay`; meant to be a multisig.
    address public owner;
    /// @notice Named by the owner, becomes the owner by accepting.
    address public pendingOwner;
    /// @notice May stop and veto, and nothing else; zero for none.
    address public guardian;
    /// @notice Signs registry entries, as an account or a contract (ERC-1271); never a relayer's key.
    address public configSigner;
    /// @notice Signs refunds and rescues, likewise; zero for none.
    address public refundSigner;

    // The four that follow share a slot, which a sweep reads anyway.

    /// @notice The only receiver of fees.
    address public feeCollector;
    /// @notice What is stopped: 1 sweeps, 2 distributions, 4 refunds and rescues, 8 registry entries.
    uint8 public stops;
    /// @notice Seconds between the owner's proposal and its execution; zero needs no proposal.
    uint32 public ownerDelay;
    /// @notice Seconds that another treasury, or a treasury's own distribution, waits.
    uint32 public configDelay;

    /// @notice The relayers, who may sweep, distribute and settle Permit2 payments.
    mapping(address => bool) public isOperator;
    /// @notice The tokens that may be swept and distributed, and how much of each may be refunded
    ///         in any 24 hours (type(uint232).max is unlimited). Zero is native coin, never listed.
    mapping(address token => Token) public tokens;

    modifier onlyOwner() {
        _requireOwner();
        _;
    }

    modifier onlyGuard() {
        if (msg.sender != guardian && msg.sender != owner) revert NotGuardian(msg.sender);
        _;
    }

    modifier onlyOperator() {
        _requireOperator();
        _;
    }

    /// @dev The entry points that a batch calls on itself, one item at a time.
    modifier onlyHub() {
        _requireHub();
        _;
    }

    /// @notice Stops kinds of operations, added to those that are stopped. Payments that payers
    ///         signed are settled all the same: a forwarder receives their money.
    function stop(uint8 what) external onlyGuard {
        stops |= what;
        emit Stopped(what, msg.sender);
    }

    /// @notice Ends a stop. The guardian cannot do this.
    function resume(uint8 what) external onlyOwner {
        stops &= ~what;
        emit Resumed(what);
    }

    function _requireOwner() internal view {
        if (msg.sender != owner) revert NotOwner(msg.sender, owner);
    }

    function _requireOperator() private view {
        if (!isOperator[msg.sender]) revert NotOperator(msg.sender);
    }

    function _requireHub() private view {
        if (msg.sender != address(this)) revert NotHub(msg.sender, address(this));
    }

    function _requireRunning(uint8 what) internal view {
        if (stops & what != 0) revert IsStopped(what);
    }

    function _requireNonZero(address account) internal pure {
        if (account == address(0)) revert ZeroAddress();
    }

    /// @dev A receiver of money is neither the zero address nor the hub.
    function _requireReceiver(address account) internal view {
        _requireNonZero(account);
        if (account == address(this)) revert HubAsReceiver(account);
    }
}
