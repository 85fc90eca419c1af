// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {Clones} from "./Clones.sol";
import {OwnerPowers} from "./OwnerPowers.sol";
import {HubTypedData} from "./libraries/HubTypedData.sol";

/// @title MerchantRegistry
/// @notice Where each merchant's money goes, as the configuration signer signed it.
/// @dev    A stolen configuration key cannot move an existing treasury at once: the change waits
///         `configDelay`, in which nothing is paid to this merchant by the registry, and the
///         guardian or the owner can veto it.
abstract contract MerchantRegistry is Clones, OwnerPowers {
    /// @dev One storage slot: 20 + 2 + 5 + 4 + 1 bytes.
    struct Merchant {
        address treasury;
        uint16 feeBps;
        uint40 feeCap;
        uint32 version;
        bool changing;
    }

    /// @dev A change that waits; with `readyAt` zero it was vetoed and its version is burnt.
    struct PendingChange {
        address treasury;
        uint16 feeBps;
        uint40 feeCap;
        uint32 version;
        uint64 readyAt;
    }

    /// @notice No signature can set a higher rate: 10 %.
    uint16 public constant MAX_FEE_BPS = 1_000;
    /// @notice How far a version may be ahead of the newest that the registry knows, pending and
    ///         vetoed ones included. One signature serves all chains, and a chain may have missed
    ///         some; a thief must not use up all versions at once.
    uint32 public constant MAX_VERSION_STEP = 1_000;
    /// @notice The highest version that can be signed; those above are for `setMerchant` alone. A
    ///         thief of the configuration key can use up a merchant's versions, one step after the
    ///         other, but never those of the owner.
    uint32 public constant MAX_SIGNED_VERSION = 2 ** 30 - 1;
    uint256 internal constant BPS = 10_000;

    /// @notice The registry; version zero means that there is no entry.
    mapping(bytes16 merchantId => Merchant) public merchants;
    /// @notice The change of treasury that waits or was vetoed; version zero means that there is none.
    mapping(bytes16 merchantId => PendingChange) public pendingChanges;

    /// @notice Submits signed entries. Anyone may do so.
    /// @dev    For each item:
    ///         1. refuse it, by event, if the signature is not the configuration signer's, if its
    ///            version is neither newer than all that is known nor the pending change itself, if
    ///            it is too far ahead or the owner's, or if its terms are impossible;
    ///         2. write it, if it moves no treasury, or if it has waited;
    ///         3. otherwise note it as pending. A repetition before its time changes nothing.
    ///         Nothing in an item can revert, so items need no call of their own to isolate them.
    function configure(MerchantConfig[] calldata configs, bytes[] calldata signatures) external {
        if (configs.length != signatures.length) {
            revert LengthMismatch(configs.length, signatures.length);
        }
        for (uint256 i; i < configs.length; ++i) {
            MerchantConfig calldata config = configs[i];
            bytes memory refusal = _refuse(config, signatures[i]);
            if (refusal.length != 0) {
                emit ConfigureFailed(config.merchantId, config.version, refusal);
            } else if (_mustWait(config)) {
                _await(config);
            } else {
                _write(config);
            }
        }
    }

    /// @notice Ends a pending change of treasury for good: its version is burnt.
    function veto(bytes16 merchantId) external onlyGuard {
        PendingChange storage pending = pendingChanges[merchantId];
        if (pending.readyAt == 0) revert NoChangePends(merchantId);
        pending.readyAt = 0;
        merchants[merchantId].changing = false;
        emit MerchantChangeVetoed(merchantId, pending.version);
    }

    /// @notice Writes an entry of any newer version; what was pending for this merchant is dropped.
    function setMerchant(MerchantConfig calldata config) external afterDelay {
        uint32 newest = _newestVersion(config.merchantId);
        if (config.version <= newest) revert StaleVersion(config.version, newest);
        bytes memory refusal = _refuseTerms(config);
        if (refusal.length != 0) {
            assembly ("memory-safe") {
                revert(add(refusal, 0x20), mload(refusal))
            }
        }
        _write(config);
    }

    /// @dev The encoded error for which a signed entry is refused; empty if it is valid.
    function _refuse(MerchantConfig calldata config, bytes calldata signature)
        private
        view
        returns (bytes memory)
    {
        if (stops & REGISTRY != 0) return abi.encodeWithSelector(IsStopped.selector, REGISTRY);
        address signer = configSigner;
        bytes32 digest = HubTypedData.configDigest(config, address(this));
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(signer, digest, signature)) {
            return abi.encodeWithSelector(BadSignature.selector, signer);
        }
        uint32 newest = _newestVersion(config.merchantId);
        if (config.version <= newest && !_isPending(config)) {
            return abi.encodeWithSelector(StaleVersion.selector, config.version, newest);
        }
        if (config.version > uint256(newest) + MAX_VERSION_STEP) {
            return abi.encodeWithSelector(VersionTooFarAhead.selector, config.version, newest);
        }
        if (config.version > MAX_SIGNED_VERSION) {
            return abi.encodeWithSelector(
                VersionNotSignable.selector, config.version, MAX_SIGNED_VERSION
            );
        }
        return _refuseTerms(config);
    }

    function _refuseTerms(MerchantConfig calldata config) private view returns (bytes memory) {
        address treasury = config.treasury;
        if (treasury == address(0)) return abi.encodeWithSelector(ZeroAddress.selector);
        if (treasury == address(this)) {
            return abi.encodeWithSelector(HubAsReceiver.selector, treasury);
        }
        if (treasury == forwarderAddress(config.merchantId)) {
            return abi.encodeWithSelector(TreasuryIsForwarder.selector, treasury);
        }
        if (config.feeBps > MAX_FEE_BPS) {
            return abi.encodeWithSelector(FeeRateAboveCap.selector, config.feeBps, MAX_FEE_BPS);
        }
        return "";
    }

    /// @dev The newest version that was written, is pending or was vetoed. A change is pending only
    ///      while it is newer than the entry.
    function _newestVersion(bytes16 merchantId) private view returns (uint32) {
        uint32 changing = pendingChanges[merchantId].version;
        return changing == 0 ? merchants[merchantId].version : changing;
    }

    function _isPending(MerchantConfig calldata config) private view returns (bool) {
        PendingChange memory pending = pendingChanges[config.merchantId];
        return pending.readyAt != 0 && pending.version == config.version
            && pending.treasury == config.treasury && pending.feeBps == config.feeBps
            && pending.feeCap == config.feeCap;
    }

    /// @dev Whether an entry moves the treasury and has not waited for it.
    function _mustWait(MerchantConfig calldata config) private view returns (bool) {
        Merchant memory current = merchants[config.merchantId];
        if (current.version == 0 || current.treasury == config.treasury) return false;
        if (configDelay == 0) return false;
        return !_isPending(config) || block.timestamp < pendingChanges[config.merchantId].readyAt;
    }

    function _await(MerchantConfig calldata config) private {
        PendingChange storage pending = pendingChanges[config.merchantId];
        uint64 ripe = pending.readyAt;
        if (!_isPending(config)) {
            ripe = uint64(block.timestamp) + configDelay;
            pendingChanges[config.merchantId] = PendingChange(
                config.treasury, config.feeBps, config.feeCap, config.version, ripe
            );
            merchants[config.merchantId].changing = true;
        }
        emit MerchantChangePending(
            config.merchantId,
            config.treasury,
            config.feeBps,
            config.feeCap,
            config.version,
            ripe
        );
    }

    function _write(MerchantConfig calldata config) private {
        merchants[config.merchantId] =
            Merchant(config.treasury, config.feeBps, config.feeCap, config.version, false);
        if (pendingChanges[config.merchantId].version != 0) {
            delete pendingChanges[config.merchantId];
        }
        emit MerchantConfigured(
            config.merchantId, config.treasury, config.feeBps, config.feeCap, config.version
        );
    }

    /// @dev The entry, if no change of it pends and it is the one that the caller knows. Relayers
    ///      have no order among themselves, so an item that pays a treasury names the version it
    ///      was made for.
    function _merchantAt(bytes16 merchantId, uint32 version)
        internal
        view
        returns (Merchant memory merchant)
    {
        merchant = merchants[merchantId];
        if (merchant.version == 0) revert MerchantNotConfigured(merchantId);
        if (merchant.changing) {
            revert MerchantChangePends(merchantId, pendingChanges[merchantId].readyAt);
        }
        if (merchant.version != version) {
            revert RegistryVersionMismatch(version, merchant.version);
        }
    }
}
